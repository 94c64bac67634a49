import {JpError} from '../errors/jp-error.js'
import type {PluginName} from '../platform/id-grammar.js'
import {type Approval, approvedAt} from './approvals.js'
import {hostProtocol, type Manifest} from './manifest.js'
import type {ChecksumAlgorithm} from './private-copy.js'

/** What the launch workspace's configuration says of one plugin: `plugins.command.<name>`. */
export type PluginPolicy = {
  readonly run: 'ask' | 'allow' | 'deny'
  readonly checksum: {readonly algorithm: ChecksumAlgorithm; readonly value: string} | undefined
}

/** Everything that admission decides by. */
export type AdmissionCase = {
  readonly name: PluginName
  /** Canonical path. */
  readonly path: string
  readonly sha256: string
  readonly sha1: string | undefined
  /** What the bytes state, or what their approval recorded (S4); undefined when neither says anything. */
  readonly manifest: Manifest | undefined
  readonly policy: PluginPolicy
  readonly approval: Approval | undefined
  /** An official plugin whose bytes are those of the registry. */
  readonly isOfficial: boolean
  /** A folder that was linked for development: approved as a place, whatever its bytes (P15). */
  readonly isLinked: boolean
  readonly isPackage: boolean
}

/** Why a plugin must be asked about. */
export type AskReason = 'new' | 'changed' | 'elsewhere'

/** The answer of admission. */
export type Verdict =
  | {readonly kind: 'run'; readonly because: 'policy' | 'registry' | 'approval'}
  | {readonly kind: 'ask'; readonly reason: AskReason}
  | {readonly kind: 'refuse'; readonly error: JpError}

/** Decides, with data alone, whether a plugin may run (P10, in its order). Asking is another's business. */
export const decideAdmission = (facts: AdmissionCase): Verdict => {
  const {name, manifest, policy} = facts
  if (manifest !== undefined && manifest.protocol > hostProtocol) return refuse(tooNew(name, manifest.protocol))
  if (policy.run === 'deny') {
    return refuse(
      new JpError(
        'plugin_denied',
        `The plugin "${name}" is denied by the configuration: plugins.command.${name}.run is "deny".`,
        {
          hint: 'See which file says so with "jp config show --explain".',
        },
      ),
    )
  }
  const mismatch = checksumMismatch(facts)
  if (mismatch !== undefined) return refuse(mismatch)
  if (manifest === undefined) return refuse(manifestMissing(facts.path))
  if (policy.run === 'allow') return {kind: 'run', because: 'policy'}
  if (facts.isOfficial) return {kind: 'run', because: 'registry'}
  const reason = askReason(facts)
  return reason === undefined ? {kind: 'run', because: 'approval'} : {kind: 'ask', reason}
}

const refuse = (error: JpError): Verdict => ({kind: 'refuse', error})

/** The refusal of a plugin that speaks a later protocol (S2): both versions are named (FR-34). */
export const tooNew = (name: string, protocol: number): JpError =>
  new JpError('plugin_too_new', `The plugin "${name}" needs protocol ${protocol}; this jp speaks ${hostProtocol}.`, {
    hint: 'Update jp, or install an earlier version of the plugin.',
  })

/** The refusal of a file that says nothing of itself and was never approved (S4). */
export const manifestMissing = (path: string): JpError =>
  new JpError('plugin_manifest_missing', `${path} has no plugin manifest, and nobody approved it.`, {
    hint: `To ask it what it is and approve it: jp plugins approve ${shellWord(path)}`,
  })

const checksumMismatch = ({name, path, policy, sha256, sha1}: AdmissionCase): JpError | undefined => {
  const pin = policy.checksum
  if (pin === undefined) return undefined
  const found = (pin.algorithm === 'sha1' ? sha1 : sha256) || undefined
  if (found === pin.value.toLowerCase()) return undefined
  return new JpError(
    'plugin_checksum_mismatch',
    `The plugin "${name}" is not the pinned one: ${path} has ${pin.algorithm} ${found ?? 'unknown'}, the configuration wants ${pin.value}.`,
    {hint: `If you trust the new file: jp plugins pin ${name}`},
  )
}

/** An approval is for these bytes at this path; neither alone is enough (FR-38). */
const askReason = ({approval, path, sha256, isLinked}: AdmissionCase): AskReason | undefined => {
  if (approval === undefined) return 'new'
  if (approval.isDevelopment && !isLinked) return 'new'
  const of = approvedAt(approval, path)
  if (of.path !== path) return 'elsewhere'
  if (isLinked) return approval.isDevelopment ? undefined : 'new'
  return of.sha256 === sha256 ? undefined : 'changed'
}

/** The refusal of a plugin that must be asked about where nobody can be asked: the command that approves it (P10). */
export const approvalRequired = (facts: AdmissionCase, reason: AskReason): JpError => {
  const why = {
    new: 'was never approved',
    changed: `changed since it was approved`,
    elsewhere: `was approved at ${facts.approval?.path ?? 'another place'}`,
  }[reason]
  return new JpError('plugin_approval_required', `The plugin "${facts.name}" at ${facts.path} ${why}.`, {
    hint: facts.isLinked
      ? `To approve it for development, on a terminal: jp plugins link ${shellWord(facts.path)}`
      : `Have a look at it, then run: jp plugins approve ${facts.isPackage ? facts.name : shellWord(facts.path)}`,
    details: {name: facts.name, path: facts.path, sha256: facts.sha256},
  })
}

/** A path as a word that can be pasted into a shell. */
const shellWord = (path: string): string =>
  /^[A-Za-z0-9_@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
