import {JpError} from '../../errors/jp-error.js'
import {spelledOut} from '../../platform/sanitise.js'
import {type TraceLevel, traceLevels} from '../../platform/trace.js'
import type {ToHost} from '../../protocol/plugin-to-host.js'
import {hostProtocol} from '../manifest.js'
import type {InboxLine} from './inbox.js'
import type {Outbox} from './outbox.js'
import type {Answerer, SessionDeps, SessionEnd} from './session.js'

/** Handles the lines of one plugin, one after the other. */
export interface LineHandler {
  /** Settles when the next line may come: with the end of the session when this line is one. */
  handle(line: InboxLine): Promise<SessionEnd | undefined>
}

/** What was said so far decides what may be said next (P18, P19). */
export const createLineHandler = (
  deps: SessionDeps,
  parts: {outbox: Outbox; answerer: Answerer; onReady(): void},
): LineHandler => {
  const {name} = deps
  const {outbox, answerer} = parts
  let isReady = false
  let lineNumber = 0

  const onReady = (protocol: number): SessionEnd | undefined => {
    parts.onReady()
    if (isReady) return misbehaved(name, 'said "ready" twice', reportIt)
    isReady = true
    if (protocol <= hostProtocol) return undefined
    return misbehaved(name, `needs protocol ${protocol}; this jp speaks ${hostProtocol}`, 'Update jp.')
  }

  const onMessage = async (message: ToHost): Promise<SessionEnd | undefined> => {
    switch (message.type) {
      case 'ready':
        return onReady(message.protocol)
      case 'exit':
        return {kind: 'exit', code: message.code, reason: message.reason ?? undefined}
      case 'print':
        await deps.print(message)
        return undefined
      case 'log':
        deps.trace.write(levelOf(message.level), 'plugin', message.message, {plugin: name, fields: message.fields})
        return undefined
      case 'describe':
        return undefined
      default:
        await answerer.answer(message)
        return undefined
    }
  }

  return {
    async handle(line: InboxLine): Promise<SessionEnd | undefined> {
      lineNumber += 1
      if (line.kind === 'broken') return notAMessage(name, lineNumber, line.shown, line.reason)
      const read = await deps.readLine(line.text)
      if (read === undefined) return undefined
      if (read.kind === 'message') return onMessage(read.message)
      if (read.kind === 'fatal') return notAMessage(name, lineNumber, line.text, read.reason)
      const {id, request, code, reason} = read
      outbox.send({type: 'error', id, request, code, message: `The request "${request}" was refused: ${reason}.`})
      return undefined
    },
  }
}

const reportIt = 'Report it to the author of the plugin.'

/** The end of a plugin that does not keep to the protocol (P19). */
export const misbehaved = (name: string, what: string, hint: string): SessionEnd => ({
  kind: 'failed',
  error: new JpError('plugin_misbehaved', `The plugin "${name}" ${what}.`, {hint}),
})

/** How much of a wrong line is quoted (P19). Unit: characters. */
const quotedCharacters = 120

const notAMessage = (name: string, lineNumber: number, text: string, reason: string): SessionEnd => {
  const cut = text.slice(0, quotedCharacters).toWellFormed()
  const shown = `${JSON.stringify(spelledOut(cut))}${cut.length < text.length ? '…' : ''}`
  return misbehaved(
    name,
    `wrote a line that is not a message (line ${lineNumber}: ${reason}): ${shown}`,
    'The stdout of a plugin is for messages: write logs to stderr.',
  )
}

const levelOf = (level: string): TraceLevel => traceLevels.find((known) => known === level) ?? 'warn'
