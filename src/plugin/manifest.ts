import {JpError} from '../errors/jp-error.js'

/** The protocol version that this host speaks (S2). */
export const hostProtocol = 12

/** Whether a plugin is handed one workspace or names one per request. */
export type WorkspaceScope = 'single' | 'multi'

/** The first protocol with scope and addressing: `multi` needs it, and from it on a scope must be declared (S2). */
export const scopeProtocol = 12

/** The facts that a plugin states about itself, read without running it (P2). */
export type Manifest = {
  readonly protocol: number
  readonly description: string
  /** The claim: the command path that the plugin asks for. */
  readonly command: readonly string[]
  /** `single` when nothing was declared (S1). */
  readonly scope: WorkspaceScope
}

/**
 * Reads a manifest that is JSON already. Unknown keys are ignored (P4). By hand, since routing has no time for a schema
 * library (P5).
 * @param file named in errors.
 * @throws JpError `plugin_manifest_invalid`.
 */
export const readManifest = (value: unknown, file: string): Manifest => {
  const refuse = (what: string): JpError => manifestInvalid(file, what)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refuse('it is not a JSON object')
  const unsafe = findControlCharacter(value)
  if (unsafe !== undefined) throw refuse(`the text ${JSON.stringify(unsafe.slice(0, 40))} holds a control character`)
  const fields: Readonly<Record<string, unknown>> = {...value}
  const protocol = fields['protocol']
  if (typeof protocol !== 'number' || !Number.isSafeInteger(protocol) || protocol < 1) {
    throw refuse(`"protocol" must be a whole number from 1 on, not ${shown(protocol)}`)
  }
  const description = fields['description']
  if (typeof description !== 'string' || description.trim() === '') throw refuse('"description" must not be blank')
  const command = readClaim(fields['command'])
  if (command === undefined) {
    throw refuse(`"command" must be a list of words, not ${shown(fields['command'])}`)
  }
  return {protocol, description, command, scope: readScope(fields['workspace_scope'], protocol, refuse)}
}

/** The claim in a value, or undefined when it is none: words without white space that are no flags. */
export const readClaim = (value: unknown): readonly string[] | undefined => {
  if (!Array.isArray(value) || value.length === 0 || value.length > 16) return undefined
  const words = value.filter((word): word is string => typeof word === 'string' && /^[^\s-]\S*$/.test(word))
  return words.length === value.length ? words : undefined
}

const readScope = (value: unknown, protocol: number, refuse: (what: string) => JpError): WorkspaceScope => {
  if (value !== undefined && value !== 'single' && value !== 'multi') {
    throw refuse(`"workspace_scope" must be "single" or "multi", not ${shown(value)}`)
  }
  if (value === 'multi' && protocol < scopeProtocol) {
    throw refuse(`"workspace_scope": "multi" needs "protocol" ${scopeProtocol} or more, not ${protocol}`)
  }
  if (value === undefined && protocol >= scopeProtocol) {
    throw refuse(`"protocol" ${protocol} needs a "workspace_scope"`)
  }
  return value ?? 'single'
}

/** The error of every manifest that can't be used: names the file and what is wrong in it. */
export const manifestInvalid = (file: string, what: string): JpError =>
  new JpError('plugin_manifest_invalid', `The plugin manifest in ${file} is invalid: ${what}.`, {
    hint: 'Report it to the author of the plugin.',
  })

const shown = (value: unknown): string => (value === undefined ? 'missing' : JSON.stringify(value).slice(0, 60))

/** The first text, key or value, with a control character other than tab and line feed (P2). */
const findControlCharacter = (value: unknown): string | undefined => {
  if (typeof value === 'string') return /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(value) ? value : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, inner] of Object.entries(value)) {
    const found = findControlCharacter(key) ?? findControlCharacter(inner)
    if (found !== undefined) return found
  }
  return undefined
}

/** True when two manifests state the same (S3). */
export const sameManifest = (left: Manifest, right: Manifest): boolean =>
  left.protocol === right.protocol &&
  left.description === right.description &&
  left.scope === right.scope &&
  left.command.length === right.command.length &&
  left.command.every((word, index) => word === right.command[index])

/** A manifest in wire spelling, as the approval store and JSON output hold it. */
export const manifestFields = (manifest: Manifest) => ({
  protocol: manifest.protocol,
  description: manifest.description,
  command: manifest.command,
  workspace_scope: manifest.scope,
})
