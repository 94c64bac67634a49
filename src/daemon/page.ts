import {rfc3339} from '../platform/clock.js'
import type {Daemon} from './daemon.js'
import {escapeHtml} from './export-session.js'
import type {WorkspaceRuntime} from './runtime.js'

/** No script and nothing from elsewhere: the page is to be read. */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
} as const

/** The page of a daemon: what it serves, what lives there, and what waits for an answer. It works without scripts. */
export const pageOf = (daemon: Daemon): string => {
  const body = daemon.registry.runtimes.map(workspaceSection).join('')
  const facts = `jp ${escapeHtml(daemon.version)}, since ${rfc3339(daemon.startedAtMs)}`
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="5">
<title>jp serve</title>
<style>body{font:16px/1.5 system-ui;margin:2rem auto;max-width:60rem;padding:0 1rem}table{border-collapse:collapse}td,th{text-align:left;padding:.2rem 1rem .2rem 0}</style>
<h1>jp serve</h1>
<p>${facts}</p>
${body}</html>
`
}

const workspaceSection = ({workspaceCwd, primary, trusted, bridge}: WorkspaceRuntime): string => {
  const notes = [...(primary ? ['primary'] : []), ...(trusted ? [] : ['not trusted'])]
  const rows = bridge.sessions.map((session) => {
    const {turns, permissions, facts} = session
    const waits = permissions.pending.length > 0 ? 'waits for a permission' : undefined
    const state = waits ?? (turns.running === undefined ? 'idle' : 'working')
    const cells = [facts.title ?? session.id, state, String(session.clients.count), rfc3339(session.updatedAtMs)]
    return `<tr>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>\n`
  })
  const table = `<table>\n<tr><th>Session</th><th>State</th><th>Clients</th><th>Last activity</th></tr>\n${rows.join('')}</table>`
  const title = `${escapeHtml(workspaceCwd)}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`
  return `<h2>${title}</h2>\n${rows.length === 0 ? '<p>No live session.</p>' : table}\n`
}
