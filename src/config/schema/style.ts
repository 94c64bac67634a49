import * as z from 'zod'
import {duration, whole} from './fields.js'

const link = () => z.enum(['off', 'full', 'osc8'])
const colorText = 'A number of the 256 colours, `#rrggbb`, or one of the eight names.'
const color = () => z.union([z.int().min(0).max(255), z.string()])

const progressFields = (delaySecs: number, what: string) => ({
  show: z.boolean().default(true).describe(`Show ${what}.`),
  delay_secs: whole().default(delaySecs).describe('After how long. Unit: seconds.'),
  interval_ms: whole(1).default(100).describe('How often it is drawn anew. Unit: milliseconds.'),
})

const progress = (delaySecs: number, what: string) =>
  z.strictObject(progressFields(delaySecs, what)).prefault({}).describe(`How ${what} is shown.`)

/** How output looks. */
export const style = z
  .strictObject({
    code: z
      .strictObject({
        color: z.boolean().default(true).describe('Highlight code.'),
        line_numbers: z.boolean().default(false).describe('Number its lines.'),
        file_link: link()
          .default('osc8')
          .describe('How the file of a block is linked. Of the other jp: has no effect here.'),
        copy_link: link()
          .default('off')
          .describe('How a link that copies it is shown. Of the other jp: has no effect here.'),
      })
      .prefault({})
      .describe('Blocks of code.'),
    inline_code: z
      .strictObject({background: color().optional().describe(`Its background; none when absent. ${colorText}`)})
      .prefault({})
      .describe('Code in a line.'),
    markdown: z
      .strictObject({
        wrap_width: whole().default(80).describe('Where lines are wrapped; 0 never. Unit: columns.'),
        table_max_column_width: whole().default(40).describe('The widest column of a table; 0 is any. Unit: columns.'),
        table_continuation_edge: z
          .boolean()
          .default(true)
          .describe('Mark the edge of a wrapped cell. Of the other jp: has no effect here.'),
        theme: z.string().default('gruvbox-dark').describe('The colours. Of the other jp: has no effect here.'),
        hr_style: z
          .enum(['line', 'markdown'])
          .default('line')
          .describe('How a rule is drawn: as a line, or as it is written.'),
      })
      .prefault({})
      .describe('Markdown.'),
    mcp_startup: progress(4, 'the start of MCP servers'),
    reasoning: z
      .strictObject({
        display: z
          .union([z.enum(['hidden', 'summary', 'static', 'progress', 'timer', 'full']), whole()])
          .default('full')
          .describe(
            'How much of the reasoning is shown; a number is characters. `summary` says no more than `static`.',
          ),
        summary_model: z
          .unknown()
          .optional()
          .describe('The model that sums reasoning up. Of the other jp: has no effect here.'),
        background: color().optional().describe(`Its background; none when absent. ${colorText}`),
        extend_across_tool_calls: z
          .boolean()
          .default(true)
          .describe('The background goes on behind the tool calls that follow.'),
      })
      .prefault({})
      .describe('Reasoning.'),
    streaming: z
      .strictObject({progress: progress(3, 'the wait for an answer')})
      .prefault({})
      .describe('While an answer arrives.'),
    lock_wait: z
      .strictObject({
        ...progressFields(1, 'the wait for a locked conversation'),
        timeout_secs: whole().default(30).describe('How long to wait; `JP_LOCK_DURATION` overrides. Unit: seconds.'),
      })
      .prefault({})
      .describe('While another process holds a conversation.'),
    tool_call: z
      .strictObject({
        show: z.boolean().default(true).describe('Show tool calls.'),
        progress: progress(3, 'a tool that runs'),
        preparing: progress(3, 'a tool call that arrives'),
      })
      .prefault({})
      .describe('Tool calls.'),
    typewriter: z
      .strictObject({
        text_delay: duration()
          .default('3ms')
          .describe('Between characters of text. Of the other jp: has no effect here.'),
        code_delay: duration()
          .default('500us')
          .describe('Between characters of code. Of the other jp: has no effect here.'),
        max_latency: duration()
          .default('0s')
          .describe('The most it may lag behind; 0 is no bound. Of the other jp: has no effect here.'),
      })
      .prefault({})
      .describe('How fast text is written.'),
  })
  .prefault({})
  .describe('How output looks.')

const interruptFields = {compose_in_editor: z.boolean().default(false).describe('Write the reply in the editor.')}

/** What Ctrl-C does. */
export const interrupt = z
  .strictObject({
    escalation_cooldown_secs: whole().default(2).describe('Within this time a second press stops. Unit: seconds.'),
    streaming: z
      .strictObject({
        action: z
          .enum(['prompt', 'continue', 'stop', 'abort', 'reply'])
          .default('prompt')
          .describe('What the first press does while an answer arrives.'),
        ...interruptFields,
      })
      .prefault({})
      .describe('While an answer arrives.'),
    tool_call: z
      .strictObject({
        action: z
          .enum(['prompt', 'continue', 'restart', 'respond', 'stop'])
          .default('prompt')
          .describe('What the first press does while a tool runs.'),
        ...interruptFields,
      })
      .prefault({})
      .describe('While a tool runs.'),
  })
  .prefault({})
  .describe('What Ctrl-C does.')
