import {type Html, html} from './html.js'

/** A time of jp, of a record (RFC 3339) or of an event (`2026-09-01 08:00:00.0`): both are UTC. The script shows it as local. */
export const time = (text: string): Html => {
  const minute = text.slice(0, 16).replace('T', ' ')
  return html`<time datetime="${minute.replace(' ', 'T')}Z">${minute} UTC</time>`
}
