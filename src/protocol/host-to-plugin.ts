import * as z from 'zod'
import {jsonObject, lastRoot, requestId} from './plugin-fields.js'

const conversation = z.string().describe('As the plugin sent it.')

/** What the host sends: one schema a message (P17). The key is the message's `type`. */
export const toPluginSchemas = {
  init: z
    .object({
      type: z.literal('init'),
      version: z.int().describe('The protocol version of the host.'),
      workspace: z
        .object({root: z.string(), storage: z.string(), id: z.string()})
        .optional()
        .describe('Single scope only.'),
      paths: z.object({
        user_data: z.string().optional(),
        user_config: z.string().optional(),
        user_workspace: z.string().optional().describe('Single scope only.'),
      }),
      config: jsonObject.optional().describe('The resolved configuration. Single scope only.'),
      options: jsonObject.optional().describe('`plugins.command.<name>.options`; absent when there are none.'),
      args: z.array(z.string()).describe('What the user typed after the claim.'),
      log_level: z.int().min(0).max(4).describe('0 error, 1 warn, 2 info, 3 debug, 4 trace.'),
      output_format: z.enum(['text', 'text_pretty', 'json', 'json_pretty']),
    })
    .describe('The first message; sent without waiting for `ready`. Since 1.'),
  conversations: z
    .object({
      type: z.literal('conversations'),
      id: requestId,
      data: z.array(
        z.object({
          id: z.string(),
          title: z.string().nullable(),
          last_activated_at: z.string(),
          pinned_at: z.string().optional(),
          events_count: z.int(),
          last_root: lastRoot.optional(),
        }),
      ),
    })
    .describe('Answers `list_conversations`. Since 1.'),
  events: z
    .object({
      type: z.literal('events'),
      id: requestId,
      conversation,
      lock: z.enum(['here', 'elsewhere']).optional().describe('A turn is running. Since 8.'),
      title: z.string().optional(),
      last_root: lastRoot.optional(),
      data: z.array(jsonObject).describe('As in `events.json`, base64 decoded.'),
    })
    .describe('Answers `read_events`. Since 1.'),
  config: z
    .object({type: z.literal('config'), id: requestId, path: z.string().optional(), data: z.unknown()})
    .describe('Answers `read_config`. Since 1.'),
  composed: z
    .object({
      type: z.literal('composed'),
      id: requestId,
      text: z.string().optional(),
      values: z.array(z.string()).optional(),
    })
    .describe('Answers `compose`: `text`, or `values` for `multi_select`; neither when it was cancelled. Since 2.'),
  done: z.object({type: z.literal('done'), id: requestId}).describe('It was done. Since 3.'),
  draft: z
    .object({
      type: z.literal('draft'),
      id: requestId,
      conversation,
      content: z.string(),
      revision: z.string().optional().describe('Absent when no draft is stored.'),
      conflict: z.literal(true).optional().describe('The stored draft is another one; nothing was written.'),
    })
    .describe('Answers `read_draft` and `write_draft`. Since 4.'),
  configs: z
    .object({
      type: z.literal('configs'),
      id: requestId,
      data: z.array(z.object({segment: z.string(), namespace: z.string(), name: z.string()})),
    })
    .describe('Answers `list_configs`. Since 5.'),
  created: z
    .object({type: z.literal('created'), id: requestId, conversation: z.string()})
    .describe('A new conversation exists; its turn starts. Since 6.'),
  query_complete: z
    .object({
      type: z.literal('query_complete'),
      id: requestId,
      conversation: z.string(),
      data: z.unknown().optional().describe('The structured answer; `null` differs from absent (since 11).'),
    })
    .describe('The turn has ended and its lock is free. Since 6.'),
  workspaces: z
    .object({
      type: z.literal('workspaces'),
      id: requestId,
      data: z.array(
        z.object({
          id: z.string(),
          slug: z.string().nullable(),
          launch: z.boolean().describe('jp was invoked against this workspace.'),
          roots: z.array(z.object({path: z.string(), storage: z.string(), last_used: z.string()})),
        }),
      ),
    })
    .describe('Answers `list_workspaces`. Since 12.'),
  error: z
    .object({
      type: z.literal('error'),
      id: requestId,
      request: z.string().optional().describe('The type of the request that failed.'),
      code: z.string(),
      message: z.string(),
      roots: z.array(z.string()).optional().describe('The live checkouts: `checkout_ambiguous`, `checkout_not_live`.'),
      last_root: lastRoot.nullish().describe('The current record, or null: `last_root_mismatch`.'),
    })
    .describe('A request failed. Nothing was changed unless the message says so. Since 1.'),
  describe: z
    .object({type: z.literal('describe')})
    .describe('The only message of a describe run: answer `describe` and end. Since 1.'),
  shutdown: z.object({type: z.literal('shutdown')}).describe('End now: the group is killed after the grace. Since 1.'),
} as const

/** The type of a message that the host sends. */
export type ToPluginType = keyof typeof toPluginSchemas

/** A message to a plugin. */
export type ToPlugin = {[Type in ToPluginType]: z.infer<(typeof toPluginSchemas)[Type]>}[ToPluginType]

/** A message of one type. */
export type ToPluginOf<Type extends ToPluginType> = Extract<ToPlugin, {type: Type}>
