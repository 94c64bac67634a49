import type {DoctorPlace} from '../../bootstrap/doctor.js'
import type {Configuration} from '../../config/schema.js'
import {JpError} from '../../errors/jp-error.js'
import type {ModelId} from '../../platform/model-id.js'
import type {Problem} from '../../platform/problem.js'
import {resolveForRun} from '../configuration.js'
import type {Invocation} from '../invocation.js'

/** What is wrong with the configuration of this place, and what follows from it. */
export type ConfigurationFindings = {
  readonly problems: readonly Problem[]
  /** `provider/name`; undefined when none is configured. */
  readonly model: string | undefined
  /** Asks the provider of that model whether it answers. */
  reachProviders(this: void): Promise<readonly Problem[]>
}

/** Resolves the configuration as a run here would. Its remarks (unknown keys, what waits for trust) are notes. */
export const diagnoseConfiguration = async (
  invocation: Invocation,
  {checkout, silo, configCwd}: DoctorPlace,
): Promise<ConfigurationFindings> => {
  const launchCwd = invocation.environment.cwd
  try {
    const {config, notices} = await resolveForRun(invocation, {checkout, silo, configCwd, launchCwd}, {isQuiet: true})
    const {findModelId} = await import('../../config/configured-models.js')
    const id = findModelId(config, config.assistant.model.id)
    return {
      problems: notices.map(({kind, text}) => remark(kind, text, checkout?.root ?? launchCwd)),
      model: id === undefined ? undefined : `${id.provider}/${id.name}`,
      reachProviders: () => (id === undefined ? Promise.resolve([]) : reach(id, config, {invocation, configCwd})),
    }
  } catch (error) {
    if (!(error instanceof JpError)) throw error
    return {problems: [faultOf(error, configCwd)], model: undefined, reachProviders: () => Promise.resolve([])}
  }
}

const remark = (code: string, reason: string, path: string): Problem => ({
  code: `config_${code}`,
  gravity: 'note',
  path,
  reason,
  advice: 'see where each value comes from: jp config show --explain',
})

const faultOf = (error: JpError, path: string): Problem => ({
  code: error.code,
  gravity: 'fault',
  path,
  reason: error.message,
  advice: error.hint ?? 'mend it, then look again: jp doctor',
})

const reach = async (
  id: ModelId,
  config: Configuration,
  {invocation, configCwd}: {readonly invocation: Invocation; readonly configCwd: string},
): Promise<readonly Problem[]> => {
  const {reachProvider} = await import('../../providers/reach-provider.js')
  const {aliases: _, ...providers} = config.providers.llm
  try {
    await reachProvider(id, providers[id.provider] ?? {}, {environment: invocation.environment, configCwd})
    return []
  } catch (error) {
    if (error instanceof JpError) return [faultOf(error, `providers.llm.${id.provider}`)]
    throw error
  }
}
