import type {PluginName} from '../../platform/id-grammar.js'
import type {ApprovalStore} from '../approvals.js'
import type {Manifest} from '../manifest.js'

/** A plugin of a package that is approved with it. */
export type ApprovablePlugin = {readonly name: PluginName; readonly manifest: Manifest}

/** A version that takes the place of another. */
export type Replacement = {
  /** Canonical. */
  readonly path: string
  readonly sha256: string
  /** Makes the new version the one that runs. */
  readonly record: () => Promise<void>
}

/**
 * Approves a new version beside the old one, records it, and then takes the old approval back: at no time is neither
 * approved, also when the run is killed in between. When recording fails, what was approved before is approved again.
 * @throws JpError as the approval store; what `record` throws.
 */
export const whileApproved = async (
  approvals: ApprovalStore,
  plugins: readonly ApprovablePlugin[],
  {path, sha256, record}: Replacement,
): Promise<void> => {
  const before = approvals.read().byName
  const approve = async (keepReplaced: boolean): Promise<void> => {
    for (const {name, manifest} of plugins) await approvals.approve(name, {path, sha256, manifest, keepReplaced})
  }
  await approve(true)
  try {
    await record()
  } catch (error) {
    for (const {name} of plugins) {
      const old = before.get(name)
      await (old === undefined ? approvals.revoke(name) : approvals.approve(name, old))
    }
    throw error
  }
  await approve(false)
}
