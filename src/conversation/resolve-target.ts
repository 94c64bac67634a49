import {type ErrorCode} from '../errors/catalogue.js'
import {JpError} from '../errors/jp-error.js'
import {type ConversationId, decisecondsOf, parseConversationId} from '../platform/id-grammar.js'
import {slugOfTitle} from './directory-name.js'
import type {ConversationEntry} from './entry.js'
import type {ConversationTarget, TargetRule, TargetSet} from './target.js'
import {momentOfStored} from './timestamp.js'

/** Lets a person choose one of several conversations. Absent where nobody may be asked (W9). */
export interface ConversationPicker {
  /** @throws JpError `interrupted`. */
  pick(question: string, among: readonly ConversationEntry[]): Promise<ConversationEntry>
}

/** What a target is looked up in. */
export type TargetScene = {
  /** Live ones, sorted by id. */
  live(): readonly ConversationEntry[]
  archived(): readonly ConversationEntry[]
  /** One entry by id, live or archived, read from the disk; undefined when there is none. */
  find(id: ConversationId): ConversationEntry | undefined
  /** The session's conversations, latest first; empty without a session. */
  readonly history: readonly ConversationId[]
  readonly active: ConversationId | undefined
  readonly previous: ConversationId | undefined
  /** The ids on stdin, one a line. @throws JpError `usage` when stdin is a terminal. */
  readIds(): Promise<readonly string[]>
  readonly picker: ConversationPicker | undefined
}

/**
 * The conversations that a target names: one, or a set for `+…` and `-`.
 * @throws JpError `conversation_not_found`, `conversation_ambiguous` (details: `candidates`), `answer_required`,
 * `conversation_corrupt`, `interrupted`.
 */
export const resolveTarget = async (
  scene: TargetScene,
  target: Exclude<ConversationTarget, {kind: 'help'}>,
): Promise<readonly ConversationEntry[]> => {
  switch (target.kind) {
    case 'id':
      return [scene.find(target.id) ?? byPrefix(scene, target.typed)]
    case 'rule':
      return [byRule(scene, target.rule)]
    case 'all':
      return allOf(scene, target.of)
    case 'pick':
      return [await pick(scene, 'Which conversation?', allOf(scene, target.among))]
    case 'text':
      return [await byText(scene, target.text)]
    case 'stdin':
      return (await scene.readIds()).map((line) => byExactText(scene, line))
  }
}

const missing = (message: string, code: ErrorCode = 'conversation_not_found'): never => {
  throw new JpError(code, message, {hint: 'See "jp conversation ls", or "jp conversation ls --archived".'})
}

const greatest = (
  entries: readonly ConversationEntry[],
  rank: (entry: ConversationEntry) => number,
): ConversationEntry | undefined =>
  entries.reduce<ConversationEntry | undefined>(
    (best, entry) => (best === undefined || rank(entry) >= rank(best) ? entry : best),
    undefined,
  )

const time = (stored: string | undefined): number =>
  stored === undefined ? -Infinity : (momentOfStored(stored) ?? -Infinity)

const byRule = (scene: TargetScene, rule: TargetRule): ConversationEntry => {
  const ofSession = (id: ConversationId | undefined): ConversationEntry | undefined =>
    id === undefined ? undefined : scene.find(id)
  switch (rule) {
    case 'active':
      return ofSession(scene.active) ?? missing('This session has no active conversation.')
    case 'previous':
      return ofSession(scene.previous) ?? missing('This session has no conversation before the active one.')
    case 'recent':
      return (
        greatest(scene.live(), ({metadata}) => time(metadata.last_activated_at)) ??
        missing('There is no conversation in this workspace.')
      )
    case 'newest':
      return scene.live().at(-1) ?? missing('There is no conversation in this workspace.')
    case 'pinned':
      return greatest(pinned(scene), ({metadata}) => time(metadata.pinned_at)) ?? missing('No conversation is pinned.')
    case 'archived':
      return (
        greatest(scene.archived(), ({metadata}) => time(metadata.archived_at)) ??
        missing('No conversation is archived.')
      )
  }
}

const pinned = (scene: TargetScene): readonly ConversationEntry[] =>
  scene.live().filter(({metadata}) => metadata.pinned_at !== undefined)

const allOf = (scene: TargetScene, set: TargetSet): readonly ConversationEntry[] => {
  switch (set) {
    case 'live':
      return scene.live()
    case 'pinned':
      return pinned(scene)
    case 'archived':
      return scene.archived()
    case 'session': {
      const live = new Map(scene.live().map((entry) => [entry.id, entry]))
      return scene.history.flatMap((id) => live.get(id) ?? [])
    }
  }
}

/** The beginning of an id (with or without `jp-c`) or of a title, in any case. */
const beginsWith = (entry: ConversationEntry, text: string): boolean =>
  entry.id.startsWith(text) ||
  (/^\d+$/.test(text) && String(decisecondsOf(entry.id)).startsWith(text)) ||
  isBeginningOfTitle(entry, text)

const isBeginningOfTitle = (entry: ConversationEntry, text: string): boolean => {
  const title = entry.metadata.title
  if (title === undefined) return false
  const slug = slugOfTitle(text)
  return (
    title.toLowerCase().startsWith(text.toLowerCase()) ||
    (slug !== undefined && (slugOfTitle(title) ?? '').startsWith(slug))
  )
}

/** An id that names none may be the beginning of one that does. */
const byPrefix = (scene: TargetScene, typed: string): ConversationEntry =>
  matching(scene, typed).length === 0
    ? missing(`There is no conversation ${typed} in this workspace.`)
    : byExactText(scene, typed)

const matching = (scene: TargetScene, text: string): readonly ConversationEntry[] => {
  const id = parseConversationId(text)
  const exact = id === undefined ? undefined : scene.find(id)
  if (exact !== undefined) return [exact]
  const live = scene.live().filter((entry) => beginsWith(entry, text))
  return live.length > 0 ? live : scene.archived().filter((entry) => beginsWith(entry, text))
}

const byText = async (scene: TargetScene, text: string): Promise<ConversationEntry> => {
  const begins = matching(scene, text)
  const [only] = begins
  if (only !== undefined && begins.length === 1) return only
  if (scene.picker === undefined) return byExactText(scene, text)
  const contains = begins.length > 0 ? begins : scene.live().filter((entry) => contained(entry, text))
  return contains.length === 0 ? nothingLike(text) : pick(scene, `Which conversation? ("${text}")`, contains)
}

/**
 * The one of those that something was found in: the only one, or the one that a person picks.
 * @param what names what was looked for.
 * @throws JpError `conversation_not_found`, `conversation_ambiguous` where nobody may be asked, `interrupted`.
 */
export const oneOf = async (
  scene: Pick<TargetScene, 'picker'>,
  what: string,
  found: readonly ConversationEntry[],
): Promise<ConversationEntry> => {
  const [only] = found
  if (only === undefined) return missing(`No conversation holds ${what}.`)
  if (found.length === 1) return only
  return scene.picker === undefined
    ? ambiguous(`${found.length} conversations hold ${what}.`, found)
    : scene.picker.pick(`Which conversation? (${what})`, found)
}

const contained = (entry: ConversationEntry, text: string): boolean =>
  `${entry.id} ${entry.metadata.title ?? ''}`.toLowerCase().includes(text.toLowerCase())

const nothingLike = (text: string): never => missing(`No conversation's id or title begins with "${text}".`)

/** As {@link byText}, asking nothing: one that several match is an error that lists them. */
const byExactText = (scene: TargetScene, text: string): ConversationEntry => {
  const found = matching(scene, text)
  const [only] = found
  if (only !== undefined && found.length === 1) return only
  return found.length === 0
    ? nothingLike(text)
    : ambiguous(`"${text}" is the beginning of ${found.length} conversations.`, found)
}

const maxShown = 10

const ambiguous = (message: string, found: readonly ConversationEntry[]): never => {
  const lines = found.slice(0, maxShown).map(({id, metadata}) => `${id}  ${metadata.title ?? ''}`.trimEnd())
  const more = found.length > maxShown ? [`… and ${found.length - maxShown} more`] : []
  throw new JpError('conversation_ambiguous', message, {
    hint: `Name one by its id:\n${[...lines, ...more].join('\n')}`,
    details: {candidates: found.map(({id}) => id)},
  })
}

const pick = async (
  scene: TargetScene,
  question: string,
  among: readonly ConversationEntry[],
): Promise<ConversationEntry> => {
  if (scene.picker === undefined) {
    return missing('No conversation was named, and there is no terminal to ask on.', 'answer_required')
  }
  if (among.length === 0) return missing('There is no conversation to choose from.')
  return scene.picker.pick(question, among)
}
