import * as z from 'zod'
import {growingList, growingText, whole} from './fields.js'
import {ruled} from './rules.js'

/** A model: its provider and the provider's name for it, or an alias of `providers.llm.aliases`. */
export const modelId = () =>
  ruled(
    z.union([
      z.strictObject({
        provider: z.string().min(1).describe('The provider: a key of `providers.llm`.'),
        name: z.string().min(1).describe("The provider's name for the model."),
      }),
      z.string().min(1),
    ]),
    {expand: 'modelId'},
  )

const effort = z.union([z.enum(['none', 'xlow', 'low', 'medium', 'high', 'xhigh', 'max', 'auto']), whole()])

const reasoning = () =>
  ruled(
    z.union([
      z.enum(['off', 'auto']),
      z.strictObject({
        effort: effort.optional().describe('How much to think: a word, or a number of tokens.'),
        exclude: z.boolean().optional().describe('Think, but leave the thoughts out of the answer.'),
      }),
    ]),
    {
      shorthand: z.union([effort, z.boolean()]),
      expand: 'reasoning',
    },
  )

const parameters = () =>
  ruled(
    z
      .object({
        max_tokens: whole(1).optional().describe('The most tokens of an answer.'),
        reasoning: reasoning().optional().describe('How the model thinks before it answers.'),
        temperature: z.number().min(0).optional().describe('Randomness of the answer.'),
        top_p: z.number().min(0).max(1).optional().describe('Nucleus sampling.'),
        top_k: whole(1).optional().describe('Sampling from the k likeliest tokens.'),
        stop_words: z.array(z.string()).optional().describe('Texts that end the answer.'),
      })
      .catchall(z.unknown()),
    {expand: 'parameters'},
  )

/** A model and how it is called, where a field overrides the assistant's own. */
export const model = () =>
  z.strictObject({
    id: modelId().optional().describe('The model: `provider/name`, its two parts, or an alias.'),
    parameters: parameters().optional().describe('How it is called. Keys that jp does not know are passed on.'),
  })

const section = ruled(
  z.strictObject({
    content: z.string().describe('The text.'),
    tag: z.string().optional().describe('The XML tag around it.'),
    title: z.string().optional().describe('Its heading.'),
    position: z.int().optional().describe('Lower comes first; 0 when absent.'),
  }),
  {
    shorthand: z.string(),
    expand: 'section',
  },
)

const instruction = z.strictObject({
  title: z.string().optional().describe('Its heading.'),
  description: z.string().optional().describe('What it is about.'),
  position: z.int().optional().describe('Lower comes first; 0 when absent.'),
  items: z.array(z.string()).optional().describe('The instructions, one each.'),
  examples: z
    .array(
      z.union([
        z.string(),
        z.strictObject({
          good: z.string().describe('How it should be.'),
          bad: z.string().describe('How it should not be.'),
          reason: z.string().optional().describe('Why.'),
        }),
      ]),
    )
    .optional()
    .describe('Examples: a text, or a good and a bad one.'),
})

/** The system prompt sections, a list that layers add to. */
export const systemPromptSections = () => growingList(section)

const requestFields = {
  max_retries: whole().default(5).describe('How often a request that failed for a passing reason is sent again.'),
  base_backoff_ms: whole().default(1000).describe('The wait before the first retry; it doubles. Unit: milliseconds.'),
  max_backoff_secs: whole().default(60).describe('The longest wait between retries. Unit: seconds.'),
  stream_idle_timeout_secs: whole()
    .default(60)
    .describe('How long a stream may be silent; 0 waits for ever. Unit: seconds.'),
  max_response_bytes: whole(1).default(1_048_576).describe('The largest answer. Unit: bytes.'),
  cache: z
    .union([z.boolean(), z.string()])
    .default('short')
    .describe('Prompt caching: `off`, `short`, `long`, or how long.'),
}

/** How requests are sent, where a field overrides the assistant's own. */
export const requestOverrides = () => z.strictObject(requestFields).partial()

/** The assistant: who answers, and how it is asked. */
export const assistant = z
  .strictObject({
    name: z.string().optional().describe('What the assistant is called.'),
    system_prompt: growingText().default('You are a helpful assistant.').describe('The start of the system prompt.'),
    system_prompt_sections: systemPromptSections().default([]).describe('Sections behind the system prompt.'),
    instructions: growingList(instruction).default([]).describe('Lists of instructions behind the system prompt.'),
    tool_choice: z.string().default('auto').describe('`auto`, `none`, `required`, or the name of a tool.'),
    model: model().prefault({}).describe('The model that answers.'),
    request: z.strictObject(requestFields).prefault({}).describe('How requests are sent and tried again.'),
  })
  .prefault({})
  .describe('The assistant: who answers, and how it is asked.')
