import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {ConversationCommand} from '../../src/cli/conversation-command.js'
import {eventLines, type TranscriptView, transcriptHeading, transcriptStyles} from '../../src/cli/transcript.js'
import type {StoredEvent} from '../../src/conversation/event.js'
import {chosenEvents} from '../../src/conversation/turns.js'

export default class ConversationPrint extends ConversationCommand {
  static override readsOnly = true
  static override summary = 'Print a conversation: for people as Markdown, with --format json as its events.'
  static override description =
    'Reads only, and holds one piece of a large conversation at a time. The JSON is the "data" of read_events: an array of events as they are stored, base64 decoded.'
  static override usage = 'conversation print [TARGET] [FLAGS]'
  static override args = {
    target: Args.string({description: 'Which one; the active one of this session by default.', ignoreStdin: true}),
  }
  static override flags = {
    first: Flags.integer({summary: 'Only the first N turns.', min: 1, helpValue: 'N'}),
    last: Flags.integer({summary: 'Only the last N turns.', min: 1, helpValue: 'N', exclusive: ['first']}),
    turn: Flags.integer({
      summary: 'Only this turn, counted from 1.',
      min: 1,
      helpValue: 'N',
      exclusive: ['first', 'last'],
    }),
    from: Flags.integer({
      summary: 'From this turn on, counted from 1.',
      min: 1,
      helpValue: 'N',
      exclusive: ['first', 'last', 'turn'],
    }),
    to: Flags.integer({summary: 'Up to this turn.', min: 1, helpValue: 'N', exclusive: ['first', 'last', 'turn']}),
    compacted: Flags.boolean({
      summary: 'As the model is told it: compactions applied, all turns.',
      exclusive: ['first', 'last', 'turn', 'from', 'to'],
    }),
    'current-config': Flags.boolean({
      summary: 'Draw it on a terminal as the configuration here says, not as that of the conversation does.',
    }),
    style: Flags.option({
      char: 's',
      summary: 'How much to show: requests; and answers; and tool calls in a line each; everything.',
      options: transcriptStyles,
      default: 'brief' as const,
    })(),
  }

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(ConversationPrint)
    const {id} = await this.resolveOne(args.target)
    const stream = this.store.stream(id)
    const {first, last, turn, from, to} = flags
    const events = flags.compacted
      ? (await import('../../src/turn/compacted.js')).compactedStream(stream.events())
      : chosenEvents(stream, {first, last, turn, from, to})
    if (this.output.isJson) return this.#printJson(events)
    const {paint, format} = this.output
    const draw =
      format === 'text-pretty'
        ? await (await import('../../src/cli/draw-transcript.js')).transcriptDrawer(
            this.desk,
            id,
            flags['current-config'],
          )
        : undefined
    await this.#printText(events, {style: flags.style, paint, draw}, transcriptHeading(stream, paint))
  }

  async #printText(events: Iterable<StoredEvent>, view: TranscriptView, heading: string): Promise<void> {
    const {output, invocation} = this
    // A damaged conversation fails at its first event, before anything of it is printed.
    let pending = heading
    for (const event of events) {
      pending += eventLines(event, view)
      if (invocation.ending.aborted) return
      if (pending.length < chunkLength) continue
      await output.write(pending)
      pending = ''
    }
    await output.write(pending)
  }

  /** One array, written element by element. */
  async #printJson(events: Iterable<StoredEvent>): Promise<void> {
    const isPretty = this.output.format === 'json-pretty'
    const element = ({value}: StoredEvent): string =>
      isPretty ? `\n  ${JSON.stringify(value, undefined, 2).replaceAll('\n', '\n  ')}` : JSON.stringify(value)
    let pending = '['
    let isFirst = true
    for (const event of events) {
      pending += `${isFirst ? '' : ','}${element(event)}`
      isFirst = false
      if (this.invocation.ending.aborted) return
      if (pending.length < chunkLength) continue
      await this.output.write(pending)
      pending = ''
    }
    await this.output.write(`${pending}${isPretty && !isFirst ? '\n' : ''}]\n`)
  }
}

/** How much is gathered before it is written. Unit: UTF-16 code units. */
const chunkLength = 64 * 1024
