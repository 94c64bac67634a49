import type {StoredEvent} from '../../conversation/event.js'

const bar = (middle: string): string => `${'-'.repeat(39)}${middle}${'-'.repeat(39)}`
const marker = [bar('8<'), `${'-'.repeat(21)} EVERYTHING BELOW THIS LINE IS IGNORED ${'-'.repeat(20)}`, bar('>8')].join(
  '\n',
)

/** How many earlier entries are shown to whoever writes. */
const shownEntries = 10
const shownUnits = 2000

/** What the editor is opened with. */
export type MessageFile = {
  /** What is there already. */
  readonly text: string
  /** `provider/name` */
  readonly model: string
  readonly events: readonly StoredEvent[]
}

/** The text of the file in which a message is written (facts 2.11): the message, a marker, and what helps to write it. */
export const messageFile = ({text, model, events}: MessageFile): string => {
  const history = events
    .flatMap(entryText)
    .slice(-shownEntries)
    .map((entry) => `${entry}\n`)
    .join('\n')
  const conversation = history === '' ? '' : `\n<!-- CONVERSATION_MARKER -->\n\n${history}`
  return `${text}\n\n${marker}\n\n# Active Configuration\n\n\`\`\`toml\nassistant.model.id = ${JSON.stringify(model)}\n\`\`\`\n${conversation}`
}

/** The message in an edited file: what stands before the marker, or all of it without one. */
export const messageIn = (file: string): string => {
  const first = marker.slice(0, marker.indexOf('\n'))
  const at = file.startsWith(first) ? 0 : file.indexOf(`\n${first}`)
  return (at === -1 ? file : file.slice(0, at)).trim()
}

/** The last answer of a conversation as a quotation, with an empty line behind it; empty when there is none. */
export const quotedAnswer = (events: readonly StoredEvent[]): string => {
  const answers = events.flatMap(({known}) =>
    known?.type === 'chat_response' && 'message' in known ? [known.message] : [],
  )
  const lines = answers.at(-1)?.trim().split('\n') ?? []
  return lines.length === 0 ? '' : `${lines.map((line) => `> ${line}`.trimEnd()).join('\n')}\n\n`
}

const entryText = ({known}: StoredEvent): string[] => {
  if (known?.type === 'chat_request') return [`## You\n\n${shortened(known.content)}`]
  if (known?.type === 'chat_response' && 'message' in known) return [`## Assistant\n\n${shortened(known.message)}`]
  return []
}

const shortened = (text: string): string =>
  text.length <= shownUnits ? text.trim() : `${text.slice(0, shownUnits).toWellFormed().trim()} …`
