import {readMetadataText} from '../conversation/conversation.js'
import {type GrepHit, type GrepQuery, grepConversation, isPassedOver} from '../conversation/grep.js'
import type {Located} from '../conversation/located.js'
import {parseMetadata} from '../conversation/metadata.js'

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

/** Searches conversation after conversation. Stops after `limit` with a hit. */
export const grepAll = (
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
  if (metadata !== undefined && !labels.every((label) => hasLabel(metadata.labels, label))) return undefined
  const hits = [...grepConversation(located, metadata?.title, query)]
  return hits.length === 0 ? undefined : {located, title: (metadata ?? metadataOf(located)).title, hits}
}

const metadataOf = (located: Located) => {
  const {text, path} = readMetadataText(located)
  return parseMetadata(text, path)
}

const hasLabel = (labels: Readonly<Record<string, string>>, label: string): boolean => {
  const [key = '', ...value] = label.split('=')
  const own = Object.hasOwn(labels, key) ? labels[key] : undefined
  return own !== undefined && (value.length === 0 || own === value.join('='))
}
