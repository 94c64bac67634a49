import * as z from 'zod'
import {lazily} from '../platform/lazily.js'
import {composeMode, expectedLastRoot, jsonObject, requestId, workspaceRef, workspaceScope} from './plugin-fields.js'

const about = {id: requestId, workspace: workspaceRef.optional()}
const conversation = z.string().describe('`jp-c…` or the bare number. Echoed as it was sent.')

/** What a plugin sends: one schema a message (P17), made when one comes. The key is the message's `type`. */
export const toHostSchemas = lazily({
  ready: () =>
    z
      .object({
        type: z.literal('ready'),
        protocol: z.int().min(1).default(1).describe('The version that the plugin requires.'),
      })
      .describe('The plugin has started. Requests before it are served all the same. Since 1.'),
  list_conversations: () =>
    z
      .object({type: z.literal('list_conversations'), ...about})
      .describe('Answered by `conversations`. Reads what is on disk now. Since 1.'),
  read_events: () =>
    z.object({type: z.literal('read_events'), ...about, conversation}).describe('Answered by `events`. Since 1.'),
  read_config: () =>
    z
      .object({
        type: z.literal('read_config'),
        ...about,
        path: z.string().optional().describe('A dotted path; without it the whole configuration.'),
        reload: z.boolean().optional().describe('Read the files again (since 10).'),
      })
      .describe('Answered by `config`. Since 1.'),
  list_configs: () =>
    z
      .object({type: z.literal('list_configs'), ...about})
      .describe('Answered by `configs`: the files that `query.cfg` may name. Since 5.'),
  compose: () =>
    z
      .object({
        type: z.literal('compose'),
        id: requestId,
        message: z.string(),
        mode: composeMode(),
        help: z.string().optional(),
      })
      .describe('Asks the user on the terminal. Answered by `composed`; nothing else is answered meanwhile. Since 2.'),
  archive_conversation: () =>
    z
      .object({type: z.literal('archive_conversation'), ...about, conversation})
      .describe('Answered by `done` once it is on disk. Since 3.'),
  set_title: () =>
    z
      .object({
        type: z.literal('set_title'),
        ...about,
        conversation,
        title: z.string().nullish().describe('Blank or absent clears it.'),
      })
      .describe('Answered by `done` once it is on disk. Since 3.'),
  read_draft: () =>
    z.object({type: z.literal('read_draft'), ...about, conversation}).describe('Answered by `draft`. Since 4.'),
  write_draft: () =>
    z
      .object({
        type: z.literal('write_draft'),
        ...about,
        conversation,
        content: z.string().describe('Empty removes the draft.'),
        revision: z.string().nullish().describe('What `read_draft` answered; absent when there was no draft.'),
      })
      .describe(
        'Answered by `draft`; with `conflict` when the stored draft is another, and then nothing is written. Since 4.',
      ),
  query: () =>
    z
      .object({
        type: z.literal('query'),
        ...about,
        conversation: conversation.default(''),
        content: z.string(),
        new: z.boolean().optional().describe('Start a new conversation; `created` is sent before its turn starts.'),
        title: z.string().optional(),
        cfg: z.array(z.string()).optional().describe('As `--cfg`, for this turn.'),
        schema: jsonObject.optional().describe('A JSON schema: the answer is a value of it (since 11).'),
        expires_in: z.string().optional().describe('`2h`, `1d 3h`: with `new` (since 11).'),
        expected_last_root: expectedLastRoot.optional().describe('Refuse when the conversation last ran elsewhere.'),
      })
      .describe('Runs a turn. Answered by `query_complete` or `error` when the turn ends. Since 6.'),
  interrupt: () =>
    z
      .object({
        type: z.literal('interrupt'),
        ...about,
        conversation,
        action: z.enum(['stop', 'abort', 'reply']).default('stop').describe('`reply` since 9.'),
        content: z.string().optional().describe('What to reply.'),
      })
      .describe('Interrupts a turn that this plugin delegated. Answered by `done` when the turn takes it. Since 7.'),
  list_workspaces: () =>
    z
      .object({type: z.literal('list_workspaces'), id: requestId})
      .describe('Answered by `workspaces`. Multi-scope plugins only. Since 12.'),
  print: () =>
    z
      .object({
        type: z.literal('print'),
        text: z.string().describe('Written as it is; no line feed is added.'),
        channel: z
          .string()
          .default('content')
          .describe('`content` is stdout; `chrome`, `tool_call`, `tool_result`, `reasoning`, `error` are stderr.'),
        format: z.string().default('plain').describe('`plain`, `markdown`, `json` or `code`.'),
        language: z.string().optional().describe('Of `code`.'),
      })
      .describe('Prints. Since 1.'),
  log: () =>
    z
      .object({
        type: z.literal('log'),
        level: z.string().describe('`error`, `warn`, `info`, `debug` or `trace`.'),
        message: z.string(),
        fields: jsonObject.optional(),
      })
      .describe('Writes to the trace of jp. Since 1.'),
  describe: () =>
    z
      .object({
        type: z.literal('describe'),
        protocol: z.int().min(1),
        description: z.string(),
        command: z.array(z.string()).min(1),
        workspace_scope: workspaceScope.optional(),
        name: z.string(),
        version: z.string(),
        help: z.string(),
        author: z.string().nullish(),
        repository: z.string().nullish(),
      })
      .describe('The answer to `describe`. It must agree with the manifest. Since 1.'),
  exit: () =>
    z
      .object({
        type: z.literal('exit'),
        code: z.int().min(0).max(255),
        reason: z.string().nullish().describe('Printed as an error when the code is not 0.'),
      })
      .describe('The last message. jp ends with this code. Since 1.'),
})

/** The type of a message that a plugin may send. */
export type ToHostType = keyof typeof toHostSchemas

/** A message from a plugin, read and checked. */
export type ToHost = {[Type in ToHostType]: z.infer<(typeof toHostSchemas)[Type]>}[ToHostType]

/** A message of one type. */
export type ToHostOf<Type extends ToHostType> = Extract<ToHost, {type: Type}>
