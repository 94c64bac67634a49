import {createStreamSanitiser} from '../../platform/sanitise.js'
import type {TurnSubscriber} from '../../turn/turn-event.js'
import type {MarkdownStream} from '../markdown/markdown-stream.js'
import type {Output} from '../output.js'
import {createTalk, type TurnTextOptions} from './turn-text.js'

/** `--format text-pretty`: the assistant's Markdown, drawn as it arrives; everything else on stderr (W29). */
export const createTurnMarkdown = (
  output: Output,
  options: TurnTextOptions,
  load: () => Promise<() => MarkdownStream>,
): TurnSubscriber => {
  const talk = createTalk(output, options)
  let open: (() => MarkdownStream) | undefined
  let part: {stream: MarkdownStream; sanitiser: ReturnType<typeof createStreamSanitiser>} | undefined
  let hasWords = false

  const write = async (text: string): Promise<void> => {
    if (text === '') return
    hasWords = true
    await output.write(text)
  }
  const endPart = async (): Promise<void> => {
    if (part === undefined) return
    const {stream, sanitiser} = part
    part = undefined
    await write(stream.push(sanitiser.end()) + stream.end())
  }

  return async (event) => {
    if (event.type === 'text_delta') {
      talk.endReasoning()
      if (part === undefined) {
        open ??= await load()
        if (hasWords) await output.write('\n')
        part = {stream: open(), sanitiser: createStreamSanitiser()}
      }
      await write(part.stream.push(part.sanitiser.push(event.text)))
      return
    }
    const isPartEnd = event.type === 'event' && event.event.type === 'chat_response' && 'message' in event.event
    if (isPartEnd || event.type === 'turn_ended') await endPart()
    await talk.tell(event)
  }
}
