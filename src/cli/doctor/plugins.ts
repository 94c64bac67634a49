import type {Problem} from '../../platform/problem.js'
import {createApprovalStore} from '../../plugin/approvals.js'
import {diagnosePlugins} from '../../plugin/diagnosis.js'
import {findPlugins} from '../../plugin/find-plugins.js'
import {builtInsOf} from '../built-ins.js'
import type {Invocation} from '../invocation.js'

/** Every plugin of this machine, held against what was approved and installed. None is run. */
export const diagnoseAllPlugins = (invocation: Invocation): readonly Problem[] => {
  const {environment, directories, clock, commands} = invocation
  const store = {dataDirectory: directories.data, clock, pid: environment.pid}
  const approvals = createApprovalStore(store)
  return diagnosePlugins({
    approvals,
    packages: store,
    plugins: findPlugins({environment, directories, nowMs: clock.nowMs()}, approvals.read()),
    builtIns: builtInsOf(commands),
    checksums: {cacheDirectory: directories.cache, nowMs: clock.nowMs()},
  })
}
