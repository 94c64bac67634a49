import {createStreamSanitiser} from '../platform/sanitise.js'
import type {ToHostOf} from '../protocol/plugin-to-host.js'
import type {Output} from './output.js'

/** Prints what a plugin says (P21). */
export interface PluginPrinter {
  print(message: ToHostOf<'print'>): Promise<void>
  /** What was held back of an unfinished escape sequence, when the plugin has ended. */
  end(): Promise<void>
}

/** What printing depends on. */
export type PrinterPlace = {
  /** Which streams are terminals: there alone text is sanitised (W31); a pipe gets it as it is. */
  readonly isTerminal: {readonly stdout: boolean; readonly stderr: boolean}
  /** Aborted when nobody reads stdout any more: then nothing is waited for. */
  readonly ending: AbortSignal
}

type Print = Pick<ToHostOf<'print'>, 'text' | 'format'>

/**
 * Creates the printer of a plugin: `content` and unknown channels go to stdout, the others to stderr; `--quiet` silences
 * all of those but `error`. No line feed is added. In JSON, each message is one value.
 */
export const createPluginPrinter = (output: Output, {isTerminal, ending}: PrinterPlace): PluginPrinter => {
  const ended = new Promise<void>((resolve) => {
    if (ending.aborted) resolve()
    else ending.addEventListener('abort', () => resolve(), {once: true})
  })
  const content = createVoice(
    (text) => (ending.aborted ? undefined : Promise.race([output.write(text), ended])),
    isTerminal.stdout,
  )
  const chrome = createVoice((text) => output.chrome(text), isTerminal.stderr)
  const error = createVoice((text) => output.alert(text), isTerminal.stderr)
  const voiceOf = (channel: string) => {
    if (channel === 'error') return error
    return ['chrome', 'tool_call', 'tool_result', 'reasoning'].includes(channel) ? chrome : content
  }
  return {
    async print({text, channel, format}) {
      const voice = voiceOf(channel)
      if (output.isJson) await voice.raw(`${asJson({text, format}, output.format === 'json-pretty')}\n`)
      else await voice.say(text)
    },
    async end() {
      for (const voice of [content, chrome, error]) await voice.end()
    },
  }
}

const createVoice = (write: (text: string) => void | Promise<void>, isTerminal: boolean) => {
  const sanitiser = createStreamSanitiser()
  return {
    raw: async (text: string) => write(text),
    say: async (text: string) => write(isTerminal ? sanitiser.push(text) : text),
    async end() {
      const rest = sanitiser.end()
      if (rest !== '') await write(rest)
    },
  }
}

/** A `json` print is its own value, when it is one; anything else is a message. */
const asJson = ({text, format}: Print, pretty: boolean): string => {
  const indent = pretty ? 2 : undefined
  if (format === 'json') {
    try {
      return JSON.stringify(JSON.parse(text), undefined, indent)
    } catch {
      // Not JSON after all: told as a message.
    }
  }
  return JSON.stringify({message: text}, undefined, indent)
}
