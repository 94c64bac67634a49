/**
 * The one id grammar (W32). An id from outside is matched here before it touches a path; a branded type is
 * the proof. Whoever holds a `WorkspaceId` may put it into a file name.
 */

/** Five characters `0-9a-z`. */
export type WorkspaceId = string & {readonly __brand: 'WorkspaceId'}
/** `jp-c<deciseconds>`: the canonical spelling of a conversation id. */
export type ConversationId = string & {readonly __brand: 'ConversationId'}
/** The storage key of a session: `getsid-<pid>`, `hwnd-<handle>` or `env-<NAME>-<16 hex digits>`. */
export type SessionKey = string & {readonly __brand: 'SessionKey'}
/** A plugin's name: its file name without `jp-`, or a package's claim joined by `-`. */
export type PluginName = string & {readonly __brand: 'PluginName'}
/** The name of an npm package, with its scope. */
export type PackageName = string & {readonly __brand: 'PackageName'}

const grammars = {
  workspace: /^[0-9a-z]{5}$/,
  conversation: /^(?:jp-c)?([0-9]{1,15})(?:-[0-9a-z]+)?$/,
  session: /^(?:getsid-[0-9]{1,10}|hwnd-[0-9]{1,20}|env-[A-Za-z0-9_]{1,64}-[0-9a-f]{16})$/,
  plugin: /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/,
  package: /^(?:@[a-z0-9-][a-z0-9._-]*\/)?[a-z0-9-][a-z0-9._-]*$/,
} as const

/** The workspace id that `text` spells, or undefined. */
export const parseWorkspaceId = (text: string): WorkspaceId | undefined =>
  grammars.workspace.test(text) ? (text as WorkspaceId) : undefined

/** The session key that `text` spells, or undefined. */
export const parseSessionKey = (text: string): SessionKey | undefined =>
  grammars.session.test(text) ? (text as SessionKey) : undefined

/** The plugin name that `text` spells, or undefined. */
export const parsePluginName = (text: string): PluginName | undefined =>
  grammars.plugin.test(text) ? (text as PluginName) : undefined

/** The npm name that `text` spells, or undefined. */
export const parsePackageName = (text: string): PackageName | undefined =>
  text.length <= 214 && grammars.package.test(text) && !/(?:^|\/)node_modules$/.test(text)
    ? (text as PackageName)
    : undefined

/**
 * The conversation id that `text` spells, or undefined. Accepts `jp-c<deciseconds>`, the bare number, and a trailing
 * `-<workspace id>`; the answer is always the canonical spelling.
 */
export const parseConversationId = (text: string): ConversationId | undefined => {
  const digits = grammars.conversation.exec(text)?.[1]
  return digits === undefined ? undefined : conversationIdOf(Number(digits))
}

/** The id whose digits `text` is, or undefined. A listing does it for each folder: most digits are canonical as they are. */
export const parseConversationDigits = (text: string): ConversationId | undefined => {
  if (!/^\d{1,15}$/.test(text)) return undefined
  return text.startsWith('0') ? conversationIdOf(Number(text)) : (`jp-c${text}` as ConversationId)
}

/** The id of a conversation created at this time. Unit: deciseconds since the Unix epoch, a whole number. */
export const conversationIdOf = (deciseconds: number): ConversationId => `jp-c${deciseconds}` as ConversationId

/** The creation time in an id. Unit: deciseconds since the Unix epoch. */
export const decisecondsOf = (id: ConversationId): number => Number(id.slice('jp-c'.length))
