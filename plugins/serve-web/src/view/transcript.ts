import type {Fields} from '../../../sdk/src/client.js'
import {type Html, html} from './html.js'
import {markdown} from './markdown.js'
import {time} from './time.js'

/** How many events are shown before one asks for all. */
const windowSize = 200

/** The events of a conversation as a page shows them. */
export const transcript = (events: readonly Fields[], {all}: {readonly all: boolean}): Html => {
  const from = all ? 0 : Math.max(0, events.length - windowSize)
  const earlier = from > 0 && html`<p><a href="?all=1">Show ${from} earlier events</a></p>`
  return html`${earlier}${events.slice(from).map(block)}`
}

const block = (event: Fields): Html | undefined => {
  const text = (key: string): string => (typeof event[key] === 'string' ? event[key] : '')
  const at = time(text('timestamp'))
  switch (event['type']) {
    case 'chat_request':
      return message('user', text('author') || 'You', {at, body: markdown(text('content'))})
    case 'chat_response':
      if (typeof event['message'] === 'string')
        return message('assistant', 'Assistant', {at, body: markdown(event['message'])})
      if (typeof event['reasoning'] === 'string') return folded('Reasoning', markdown(event['reasoning']))
      return message('assistant', 'Assistant', {at, body: code(JSON.stringify(event['data'], undefined, 2))})
    case 'tool_call_request':
      return folded(`Tool call: ${text('name')}`, code(JSON.stringify(event['arguments'], undefined, 2)))
    case 'tool_call_response':
      return folded(event['is_error'] === true ? 'Tool error' : 'Tool result', code(text('content')))
    default:
      return undefined
  }
}

const message = (kind: string, who: string, {at, body}: {at: Html; body: Html}): Html =>
  html`<article class="${kind}"><h2>${who} ${at}</h2>${body}</article>`

const folded = (title: string, body: Html): Html => html`<details><summary>${title}</summary>${body}</details>`

const code = (text: string | undefined): Html => html`<pre><code>${text ?? ''}</code></pre>`

/** How the last turn stands, by what is stored: never by an event that a page may have missed (FR-58). */
export type TurnState = 'none' | 'running' | 'elsewhere' | 'finished' | 'unfinished'

/** Reads it off the lock and the last event that says something. */
export const turnState = (events: readonly Fields[], lock: unknown): TurnState => {
  if (lock === 'here') return 'running'
  if (lock === 'elsewhere') return 'elsewhere'
  const last = events.findLast(({type}) => /^(?:chat|tool_call)_/.test(String(type)))
  if (last === undefined) return 'none'
  return last['type'] === 'chat_response' && !('reasoning' in last) ? 'finished' : 'unfinished'
}
