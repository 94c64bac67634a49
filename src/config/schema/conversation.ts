import * as z from 'zod'
import {model} from './assistant.js'
import {command, growingList} from './fields.js'
import {assistantOverrides} from './inquiry.js'
import {ruled} from './rules.js'
import {tool} from './tool.js'

const attachment = z.union([
  z.string().min(1),
  z.strictObject({
    type: z.string().min(1).describe('Its scheme: `file`, `cmd`, `https`, …'),
    path: z.string().describe('What it names.'),
    params: z.record(z.string(), z.unknown()).optional().describe('What its scheme takes.'),
  }),
])

const label = ruled(
  z.strictObject({
    value: z
      .union([z.string(), z.strictObject({cmd: command().describe('A command whose output is the value.')})])
      .optional()
      .describe('The value, or the command that prints it.'),
    apply_on: z
      .strictObject({
        new: z.boolean().optional().describe('On a new conversation; yes when absent.'),
        fork: z.boolean().optional().describe('On a fork; no when absent.'),
      })
      .optional()
      .describe('When it is put on.'),
    run: z.enum(['ask', 'unattended', 'deny']).optional().describe('Whether its command runs.'),
  }),
  {
    shorthand: z.string(),
    expand: 'label',
  },
)

const compactionRule = z.strictObject({
  keep_first: z
    .union([z.int().min(0), z.string()])
    .optional()
    .describe('How much of the start is kept.'),
  keep_last: z
    .union([z.int().min(0), z.string()])
    .optional()
    .describe('How much of the end is kept.'),
  reasoning: z.unknown().optional().describe('`strip` leaves reasoning out.'),
  tool_calls: z.unknown().optional().describe('`strip` or `omit` for tool calls.'),
  summary: z
    .strictObject({
      model: model().optional().describe('The model that sums up.'),
      instructions: z.string().optional().describe('What it is told.'),
      context: z.unknown().optional().describe('What it is shown.'),
    })
    .optional()
    .describe('Sum up what is left out.'),
})

/** Conversations: titles, tools, attachments. */
export const conversation = z
  .strictObject({
    title: z
      .strictObject({
        generate: z
          .strictObject({
            auto: z.boolean().default(true).describe('Make a title in the background.'),
            model: model().optional().describe('The model that makes it; the assistant’s when absent.'),
          })
          .prefault({})
          .describe('Titles by a model.'),
        from_heading: z.boolean().default(true).describe('A heading at the start of the message is the title.'),
      })
      .prefault({})
      .describe('How a conversation gets its title.'),
    tools: z.record(z.string(), tool).default({}).describe('The tools, by name; `*` gives the defaults of all.'),
    compaction: z
      .strictObject({rules: growingList(compactionRule).default([]).describe('What is left out, in order.')})
      .prefault({})
      .describe('How a long conversation is made shorter for the model.'),
    attachments: growingList(attachment, {dedup: true})
      .default([])
      .describe('What goes with every message: URLs or paths, or their parts.'),
    labels: z
      .record(z.string().regex(/^[A-Za-z][\w-]*$/), label)
      .default({})
      .describe('Labels that are put on.'),
    inquiry: z
      .strictObject({assistant: assistantOverrides().prefault({}).describe('The assistant that answers them.')})
      .prefault({})
      .describe('Questions of tools that the assistant answers.'),
    start_local: z
      .boolean()
      .default(false)
      .describe('A new conversation stays in the user-local store; nothing of it is in the checkout.'),
    default_id: z
      .string()
      .optional()
      .describe(
        'What continues when this session has no conversation: `ask`, `last`, `last-created`, `previous`, an id.',
      ),
  })
  .prefault({})
  .describe('Conversations: titles, tools, attachments.')
