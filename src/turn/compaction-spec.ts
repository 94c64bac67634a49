import {JpError} from '../errors/jp-error.js'
import {type CompactionRule, plainRule, type TurnEdge, toolModeOf} from './compaction-rule.js'

/**
 * A compaction as typed (facts 8.4): `POLICY[+POLICY][:FROM..TO]`, such as `r+t=omit:2..-3`. Policies are `r` (reasoning),
 * `t` (tool calls: `t=strip`, `sreq`, `sres`, `omit`) and `s` (a summary). Turns count from 1, negative ones from the end.
 * @throws JpError `usage`.
 */
export const parseCompactionSpec = (text: string): CompactionRule => {
  const [policies = '', range, ...rest] = text.split(':')
  if (rest.length > 0) throw unfit(text)
  const bounds = range === undefined ? {} : boundsOf(range, text)
  const none: CompactionRule = {...plainRule, reasoning: false, tools: undefined}
  const rule = policies.split('+').reduce((sum, policy) => ({...sum, ...policyOf(policy, text)}), none)
  return {...rule, ...bounds}
}

const policyOf = (policy: string, text: string): Partial<CompactionRule> => {
  const [name, mode, ...rest] = policy.split('=')
  if (rest.length > 0) throw unfit(text)
  if (name === 'r' && mode === undefined) return {reasoning: true}
  if (name === 's' && mode === undefined) return {summary: {seesAll: false}}
  const tools = name === 't' ? toolModeOf(mode ?? 'strip') : undefined
  if (tools === undefined) throw unfit(text)
  return {tools}
}

const boundsOf = (range: string, text: string): Partial<Pick<CompactionRule, 'from' | 'to'>> => {
  const [, from, to] = /^(-?\d{1,9})?\.\.(-?\d{1,9})?$/.exec(range) ?? []
  if (from === undefined && to === undefined) throw unfit(text)
  return {
    ...(from === undefined ? {} : {from: turnEdge(from, text)}),
    ...(to === undefined ? {} : {to: turnEdge(to, text)}),
  }
}

const turnEdge = (turn: string, text: string): TurnEdge => {
  if (Number(turn) === 0) throw unfit(text)
  return {kind: 'turn', turn: Number(turn)}
}

const unfit = (text: string): JpError =>
  new JpError('usage', `"${text}" says no compaction.`, {
    hint:
      'Write POLICY[+POLICY][:FROM..TO]: r (reasoning), t or t=strip|sreq|sres|omit (tool calls), s (a summary); ' +
      'turns count from 1, -1 is the last: r+t=omit:..-2',
  })
