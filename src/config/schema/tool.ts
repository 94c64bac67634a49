import * as z from 'zod'
import {command, policy, whole} from './fields.js'
import {assistantOverrides} from './inquiry.js'
import {ruled} from './rules.js'

/** When a tool is on, and who may switch it. */
const toggle = () =>
  ruled(
    z.strictObject({
      state: z.boolean().describe('On or off.'),
      allow_toggle: z
        .enum(['any', 'never', 'if_named', 'if_named_or_group'])
        .optional()
        .describe('Who may switch it with `--tool` and `--no-tool`.'),
    }),
    {
      shorthand: z.union([z.boolean(), z.enum(['on', 'off', 'explicit', 'always'])]),
      expand: 'toggle',
    },
  )

/** One parameter of a tool: a part of JSON Schema. */
const parameter = z.strictObject({
  type: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .describe('Its JSON type, or several.'),
  default: z.unknown().optional().describe('Its value when the model gives none.'),
  required: z.boolean().optional().describe('The model must give it.'),
  summary: z.string().optional().describe('What it is, in a sentence.'),
  description: z.string().optional().describe('What it is, at length.'),
  examples: z.string().optional().describe('Examples.'),
  enum: z.array(z.unknown()).optional().describe('The values it may have.'),
  get items() {
    return parameter.optional().describe('What its items are.')
  },
  get properties() {
    return z.record(z.string(), parameter).optional().describe('What its properties are.')
  },
})

const inlineResults = () =>
  ruled(z.union([z.enum(['off', 'full']), z.int().min(0)]), {
    shorthand: z.strictObject({truncate: z.strictObject({lines: z.int().min(0)})}),
    expand: 'inlineResults',
  })

const fileLink = () => z.enum(['full', 'osc8', 'off'])

const toolStyle = z.strictObject({
  hidden: z.boolean().optional().describe('Show nothing of its calls.'),
  inline_results: inlineResults().optional().describe('How much of a result is shown: `off`, `full`, or lines.'),
  results_file_link: fileLink()
    .optional()
    .describe('How the file of a result is linked. Of the other jp: has no effect here.'),
  parameters: command().optional().describe('How arguments are shown: `json`, `function_call`, `off`, or a command.'),
  error: z
    .strictObject({
      inline_results: inlineResults().optional().describe('How much of a failure is shown.'),
      results_file_link: fileLink()
        .optional()
        .describe('How the file of a failure is linked. Of the other jp: has no effect here.'),
    })
    .optional()
    .describe('The same for a call that failed.'),
})

const toolPolicy = () => policy({words: ['ask', 'unattended', 'edit', 'deny'], old: 'skip', expand: 'toolPolicy'})

/** One tool. The tool `*` gives the defaults of all. */
export const tool = z.strictObject({
  source: z.string().optional().describe('Where it comes from: `builtin`, `local`, `mcp.<server>[.<tool>]`.'),
  enable: toggle().optional().describe('On or off, or `explicit` (on when named) or `always`.'),
  command: command().optional().describe('What a local tool runs. `{{tool}}` and `{{context}}` are filled in.'),
  summary: z.string().optional().describe('What it does, in a sentence.'),
  description: z.string().optional().describe('What it does, for the model.'),
  examples: z.string().optional().describe('Examples, for the model.'),
  parameters: z.record(z.string(), parameter).optional().describe('Its parameters.'),
  run: toolPolicy().optional().describe('Whether a call runs: `ask`, `unattended`, `edit`, `deny`.'),
  detached: z
    .enum(['deny', 'unattended'])
    .optional()
    .describe('What becomes of a call that would be asked about when there is no terminal; `deny` when absent.'),
  format: z
    .enum(['ask', 'unattended'])
    .optional()
    .describe('Whether the command of `style.parameters` runs; only `unattended` runs it.'),
  result: toolPolicy().optional().describe('Whether a result is delivered to the model.'),
  timeout_secs: whole().optional().describe('How long a call may run; 600 when absent, 0 is no limit. Unit: seconds.'),
  cancellation_response: z.string().optional().describe('What the model is told of a call that was cancelled.'),
  style: toolStyle.optional().describe('How its calls are shown.'),
  questions: z
    .record(
      z.string(),
      z.strictObject({
        target: z
          .union([z.enum(['user', 'assistant']), assistantOverrides()])
          .optional()
          .describe('Who answers: `user`, `assistant`, or an assistant with its own settings.'),
        answer: z.unknown().optional().describe('The answer, given in advance.'),
      }),
    )
    .optional()
    .describe('The questions that it may ask.'),
  options: z.record(z.string(), z.unknown()).optional().describe('Handed to the tool as they are.'),
  access: z
    .strictObject({
      fs: z
        .array(
          z.strictObject({
            path: z.string().describe('The path, from the root.'),
            name: z.string().optional().describe('What built-in tools call it, as `jp query --mount` says.'),
            external: z
              .boolean()
              .optional()
              .describe('It lies outside the checkout: it may be read, and written when that is said.'),
            read: z.boolean().optional().describe('It may be read; true when absent.'),
            write: z.boolean().optional().describe('Create, update and delete together.'),
            create: z.boolean().optional().describe('Files may be made.'),
            update: z.boolean().optional().describe('Files may be changed.'),
            delete: z.boolean().optional().describe('Files may be removed.'),
            execute: z.boolean().optional().describe('Files may be run.'),
          }),
        )
        .optional()
        .describe(
          'Paths, with what may be done there; inside the checkout they close, outside they open. The longest path counts.',
        ),
    })
    .optional()
    .describe('What the tool may touch.'),
})
