import {manifestFields} from '../manifest.js'
import type {InstallPlan} from './install-package.js'
import type {Updated} from './update-package.js'

/** A package that was installed, as `install` and `update` print it in JSON. The shape is a contract (Q3). */
export const installedFields = (plan: InstallPlan, path: string) => ({
  package: plan.package,
  version: plan.version,
  replaces: plan.replaces ?? null,
  source: plan.source,
  integrity: plan.integrity,
  path,
  plugins: plan.plugins.map(({name, manifest}) => ({name, ...manifestFields(manifest)})),
})

/** What came of one package, as `update` prints it in JSON. The shape is a contract (Q3). */
export const updatedFields = (updated: Updated) => {
  switch (updated.state) {
    case 'updated': {
      const {plan} = updated.installed
      return {package: plan.package, state: 'updated', from: plan.replaces ?? null, to: plan.version}
    }
    case 'current':
      return {package: updated.package, state: 'current', from: updated.version, to: null}
    case 'available':
      return {package: updated.package, state: 'available', from: updated.version, to: updated.next}
    case 'failed':
      return {package: updated.package, state: 'failed', from: null, to: null}
  }
}
