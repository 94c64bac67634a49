import {readMetadataText} from '../conversation/conversation.js'
import type {ConversationEntry} from '../conversation/entry.js'
import {
  type GrepHit,
  type GrepQuery,
  type GrepScope,
  grepConversation,
  grepPattern,
  grepScopes,
  isPassedOver,
} from '../conversation/grep.js'
import {matchesLabel} from '../conversation/labels.js'
import type {Located} from '../conversation/located.js'
import {parseMetadata} from '../conversation/metadata.js'
import {createdWithin, type TypedSpan} from '../conversation/moment.js'
import {momentOfStored} from '../conversation/timestamp.js'
import {JpError} from '../errors/jp-error.js'
import type {ConversationDesk} from './conversation-desk.js'

/** What one conversation holds of what is looked for. */
export type GrepFinding = {
  readonly located: Located
  readonly title: string | undefined
  readonly hits: readonly GrepHit[]
}

/** What a search gives. */
export type GrepResult = {
  readonly findings: readonly GrepFinding[]
  /** Conversations that could not be read (W20). */
  readonly passedOver: readonly {readonly reason: string}[]
}

/** What a search can be sorted by: when a conversation was created, last used, last written. */
export const grepSorts = ['created', 'activated', 'updated'] as const

/** A search as typed. */
export type GrepFlags = {
  readonly id?: readonly string[] | undefined
  readonly archived: boolean
  readonly 'ignore-case': boolean
  readonly 'case-sensitive': boolean
  readonly regex: boolean
  readonly scope?: readonly GrepScope[] | undefined
  readonly context: number
  readonly 'max-matches'?: number | undefined
  readonly limit?: number | undefined
  readonly label?: readonly string[] | undefined
  readonly sort: (typeof grepSorts)[number]
  readonly descending: boolean
}

/**
 * Searches the conversations of a checkout as typed.
 * @throws JpError `usage` for no pattern, or for one that is no regular expression; those of targets.
 */
export const grepConversations = async (
  desk: ConversationDesk,
  patterns: readonly string[],
  flags: GrepFlags,
): Promise<GrepResult> => {
  if (patterns.length === 0) throw new JpError('usage', 'Say what to look for.')
  const query = {
    pattern: patternOf(patterns, flags),
    scopes: new Set(flags.scope ?? grepScopes),
    context: flags.context,
    maxMatches: flags['max-matches'],
  }
  const ids = flags.id === undefined ? undefined : new Set((await desk.resolveTargets(flags.id)).map(({id}) => id))
  const all = desk.store.located({archived: flags.archived})
  const chosen = ids === undefined ? all : [...all].filter(({id}) => ids.has(id))
  return grepAll(sorted(chosen, flags), query, {limit: flags.limit, labels: flags.label ?? []})
}

/**
 * The conversations that hold a text and were created in a span; those without a text, when none is given.
 * @throws JpError `usage`.
 */
export const conversationsWith = (
  {store, invocation}: Pick<ConversationDesk, 'store' | 'invocation'>,
  {text, ...typed}: TypedSpan & {readonly text: string | undefined},
): readonly ConversationEntry[] => {
  const span = createdWithin(typed, invocation.clock.nowMs())
  const {entries} = store.list()
  const inSpan = span === undefined ? entries : entries.filter(({id}) => span(id))
  if (text === undefined) return inSpan
  const pattern = patternOf([text], {'ignore-case': false, 'case-sensitive': false, regex: false})
  const query = {pattern, scopes: new Set(grepScopes), context: 0, maxMatches: 1}
  const {findings} = grepAll(store.located({archived: false}), query, {limit: undefined, labels: []})
  const found = new Set(findings.map(({located}) => located.id))
  return inSpan.filter(({id}) => found.has(id))
}

type PatternFlags = Pick<GrepFlags, 'ignore-case' | 'case-sensitive' | 'regex'>

const patternOf = (patterns: readonly string[], flags: PatternFlags): RegExp => {
  const isSmall = patterns.every((pattern) => pattern === pattern.toLowerCase())
  const ignoreCase = flags['ignore-case'] || (isSmall && !flags['case-sensitive'])
  try {
    return grepPattern(patterns, {isRegex: flags.regex, ignoreCase})
  } catch (error) {
    throw new JpError('usage', `That is no regular expression: ${patterns.join(' ')}`, {cause: error})
  }
}

/** They come sorted by id, which is when they were created. */
const sorted = (conversations: Iterable<Located>, {sort, descending}: GrepFlags): Iterable<Located> => {
  if (sort === 'created') return descending ? [...conversations].reverse() : conversations
  const rank = sort === 'updated' ? updatedMs : activatedMs
  const ranked = [...conversations].map((located) => ({located, ms: rank(located)}))
  const sign = descending ? -1 : 1
  return ranked.sort((left, right) => sign * (left.ms - right.ms)).map(({located}) => located)
}

const updatedMs = ({units: {stream}}: Located): number => stream?.stamps['events.json']?.mtimeMs ?? 0

/** One that can't be read is passed over when it is searched. */
const activatedMs = (located: Located): number => {
  try {
    return momentOfStored(metadataOf(located).last_activated_at) ?? 0
  } catch (error) {
    if (!isPassedOver(error)) throw error
    return 0
  }
}

/** Searches conversation after conversation. Stops after `limit` with a hit. */
const grepAll = (
  conversations: Iterable<Located>,
  query: GrepQuery,
  {limit, labels}: {readonly limit: number | undefined; readonly labels: readonly string[]},
): GrepResult => {
  const findings: GrepFinding[] = []
  const passedOver: {reason: string}[] = []
  for (const located of conversations) {
    if (limit !== undefined && findings.length >= limit) break
    try {
      const finding = grepOne(located, query, labels)
      if (finding !== undefined) findings.push(finding)
    } catch (error) {
      if (!isPassedOver(error)) throw error
      passedOver.push({reason: error instanceof Error ? error.message : ''})
    }
  }
  return {findings, passedOver}
}

/** The title is read when it is searched or shown, so not for the many without a hit. */
const grepOne = (located: Located, query: GrepQuery, labels: readonly string[]): GrepFinding | undefined => {
  const needsMetadata = query.scopes.has('title') || labels.length > 0
  const metadata = needsMetadata ? metadataOf(located) : undefined
  if (metadata !== undefined && !labels.every((label) => matchesLabel(metadata.labels, label))) return undefined
  const hits = [...grepConversation(located, metadata?.title, query)]
  return hits.length === 0 ? undefined : {located, title: (metadata ?? metadataOf(located)).title, hits}
}

const metadataOf = (located: Located) => {
  const {text, path} = readMetadataText(located)
  return parseMetadata(text, path)
}
