import {JpError} from '../errors/jp-error.js'
import {type ConversationId, parseConversationId} from '../platform/id-grammar.js'

/** A set of conversations that a target can name. */
export type TargetSet = 'live' | 'session' | 'pinned' | 'archived'

/** A conversation target as typed (facts 4.5), understood but not looked up. */
export type ConversationTarget =
  /** `?` and its restricted forms: a question. */
  | {readonly kind: 'pick'; readonly among: TargetSet}
  /** One by a rule: the session's active, the most recent, … */
  | {readonly kind: 'rule'; readonly rule: TargetRule}
  /** `+l` and its like: all of a set. */
  | {readonly kind: 'all'; readonly of: TargetSet}
  | {readonly kind: 'stdin'}
  | {readonly kind: 'help'}
  | {readonly kind: 'id'; readonly id: ConversationId; readonly typed: string}
  /** Anything else: the beginning of an id or of a title, or text to search by. */
  | {readonly kind: 'text'; readonly text: string}

/** The rules that name one conversation. */
export type TargetRule = 'active' | 'recent' | 'newest' | 'pinned' | 'previous' | 'archived'

const keywords: Readonly<Record<string, ConversationTarget>> = {
  '': {kind: 'pick', among: 'live'},
  '?': {kind: 'pick', among: 'live'},
  '?p': {kind: 'pick', among: 'pinned'},
  '?pinned': {kind: 'pick', among: 'pinned'},
  '?s': {kind: 'pick', among: 'session'},
  '?session': {kind: 'pick', among: 'session'},
  '?a': {kind: 'pick', among: 'archived'},
  '?archived': {kind: 'pick', among: 'archived'},
  '.': {kind: 'rule', rule: 'active'},
  active: {kind: 'rule', rule: 'active'},
  r: {kind: 'rule', rule: 'recent'},
  recent: {kind: 'rule', rule: 'recent'},
  n: {kind: 'rule', rule: 'newest'},
  newest: {kind: 'rule', rule: 'newest'},
  p: {kind: 'rule', rule: 'pinned'},
  pinned: {kind: 'rule', rule: 'pinned'},
  s: {kind: 'rule', rule: 'previous'},
  session: {kind: 'rule', rule: 'previous'},
  a: {kind: 'rule', rule: 'archived'},
  archived: {kind: 'rule', rule: 'archived'},
  '+l': {kind: 'all', of: 'live'},
  '+live': {kind: 'all', of: 'live'},
  '+s': {kind: 'all', of: 'session'},
  '+session': {kind: 'all', of: 'session'},
  '+p': {kind: 'all', of: 'pinned'},
  '+pinned': {kind: 'all', of: 'pinned'},
  '+a': {kind: 'all', of: 'archived'},
  '+archived': {kind: 'all', of: 'archived'},
  '-': {kind: 'stdin'},
  help: {kind: 'help'},
}

/** Understands a target. Never fails: what is no keyword and no id is text. */
export const parseTarget = (typed: string): ConversationTarget => {
  const keyword = Object.hasOwn(keywords, typed) ? keywords[typed] : undefined
  if (keyword !== undefined) return keyword
  const id = typed.startsWith('jp-c') || /^\d{11}/.test(typed) ? parseConversationId(typed) : undefined
  return id === undefined ? {kind: 'text', text: typed} : {kind: 'id', id, typed}
}

/** What `conversation.default_id` may hold (facts 4.5). Undefined for `ask`. */
export const parseDefaultId = (value: string): ConversationTarget | undefined => {
  const rules: Readonly<Record<string, TargetRule>> = {
    last: 'recent',
    'last-activated': 'recent',
    'last-created': 'newest',
    previous: 'previous',
    prev: 'previous',
  }
  if (value === '' || value === 'ask') return undefined
  const rule = Object.hasOwn(rules, value) ? rules[value] : undefined
  if (rule !== undefined) return {kind: 'rule', rule}
  const id = parseConversationId(value)
  if (id !== undefined) return {kind: 'id', id, typed: value}
  throw new JpError('config_value_invalid', `conversation.default_id can't be "${value}".`, {
    hint: 'Use ask, last-activated, last-created, previous, or the id of a conversation.',
  })
}
