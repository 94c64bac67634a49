import {rfc3339} from '../platform/clock.js'
import type {SessionShelf, StoredStep} from './session-shelf.js'
import type {StoredSession} from './stored-sessions.js'

/** The formats of an export. */
export const exportFormats = ['html', 'md', 'json', 'jsonl'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** A session as a file. */
export type ExportedFile = {readonly content: string; readonly mimeType: string}

/** Writes a stored session down. `json` and `jsonl` are the stored events; the others are for people. */
export const exportSession = async (
  shelf: SessionShelf,
  session: StoredSession,
  format: ExportFormat,
): Promise<ExportedFile> => {
  switch (format) {
    case 'json': {
      const events = await shelf.raw(session)
      const content = {sessionId: session.id, title: session.title ?? null, events}
      return {content: `${JSON.stringify(content, undefined, 2)}\n`, mimeType: 'application/json; charset=utf-8'}
    }
    case 'jsonl': {
      const lines = (await shelf.raw(session)).map((event) => `${JSON.stringify(event)}\n`)
      return {content: lines.join(''), mimeType: 'application/jsonl; charset=utf-8'}
    }
    case 'md':
      return {content: markdownOf(session, await shelf.steps(session)), mimeType: 'text/markdown; charset=utf-8'}
    case 'html':
      return {content: htmlOf(session, await shelf.steps(session)), mimeType: 'text/html; charset=utf-8'}
  }
}

const headings = {user: 'You', assistant: 'Assistant', tool: 'Tool'} as const

const titleOf = ({title, id}: StoredSession): string => title ?? id

const markdownOf = (session: StoredSession, steps: readonly StoredStep[]): string =>
  [`# ${titleOf(session)}`, ...steps.map(({role, text, atMs}) => `## ${headings[role]} (${rfc3339(atMs)})\n\n${text}`)]
    .map((part) => `${part.trimEnd()}\n`)
    .join('\n')

/** No script, no style from elsewhere: a page that can be kept. */
const htmlOf = (session: StoredSession, steps: readonly StoredStep[]): string => {
  const title = escapeHtml(titleOf(session))
  const body = steps.map(({role, text}) => `<h2>${headings[role]}</h2>\n<pre>${escapeHtml(text)}</pre>\n`).join('')
  return `<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>${title}</title>\n<style>pre{white-space:pre-wrap}</style>\n<h1>${title}</h1>\n${body}</html>\n`
}

/** A text inside HTML. */
export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
