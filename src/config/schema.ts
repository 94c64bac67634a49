import * as z from 'zod'
import {assistant} from './schema/assistant.js'
import {conversation} from './schema/conversation.js'
import {command, growingList, whole} from './schema/fields.js'
import {plugins, providers} from './schema/providers.js'
import {ruled} from './schema/rules.js'
import {interrupt, style} from './schema/style.js'

const extended = z.union([
  z.string(),
  z.strictObject({
    path: z.string().describe('A file or a glob, from the folder of this file.'),
    strategy: z.enum(['before', 'after']).optional().describe('`before` (the default) lies below this file.'),
  }),
])

/**
 * Every key of configuration with its type, default and description (W14): the source of parsing, `jp config show`,
 * `jp config schema` and the reference page. How layers merge stands in `ruled`.
 */
export const configurationSchema = z
  .strictObject({
    inherit: z.boolean().default(true).describe('`false` cuts off the more general layers.'),
    config_load_paths: growingList(z.string(), {dedup: true})
      .default([])
      .describe('Folders, from each search root, in which `--cfg NAME` looks.'),
    extends: z.array(extended).default([]).describe('Files whose configuration this file builds on.'),
    assistant,
    conversation,
    style,
    interrupt,
    editor: z
      .strictObject({
        cmd: command().optional().describe('The editor.'),
        envs: z
          .array(z.string())
          .default(['JP_EDITOR', 'VISUAL', 'EDITOR'])
          .describe('Variables that name the editor; the first that is set counts.'),
        inline: z
          .strictObject({edit_mode: z.enum(['emacs', 'vi']).default('emacs').describe('The keys of prompts.')})
          .prefault({})
          .describe('Editing in the terminal.'),
      })
      .prefault({})
      .describe('The editor for longer texts.'),
    template: z
      .strictObject({
        values: ruled(z.record(z.string(), z.unknown()), {deep: true})
          .default({})
          .describe('Values for templates in messages.'),
      })
      .prefault({})
      .describe('Templates in messages.'),
    providers,
    plugins,
    mcp: z
      .strictObject({
        idle_timeout_secs: whole().default(300).describe('An unused server ends after this time. Unit: seconds.'),
        max_instances: whole(1).default(32).describe('How many servers one jp keeps running.'),
      })
      .prefault({})
      .describe('How MCP servers are kept running.'),
    serve: z
      .strictObject({
        env: z.record(z.string(), z.string()).default({}).describe('Environment of the daemon’s agents here.'),
        agent: z
          .strictObject({
            command: command().optional().describe('The ACP agent that it starts; jp itself when absent.'),
          })
          .prefault({})
          .describe('The agent behind the daemon.'),
      })
      .prefault({})
      .describe('The daemon, `jp serve`.'),
    web: z
      .strictObject({
        host: z.string().default('127.0.0.1').describe('The address that it listens on.'),
        port: z.int().min(0).max(65_535).default(3000).describe('Its port; 0 takes a free one.'),
      })
      .prefault({})
      .describe('The web frontend.'),
    user: z
      .strictObject({name: z.string().optional().describe('Your name, for the assistant.')})
      .prefault({})
      .describe('You.'),
  })
  .prefault({})

/** The resolved configuration: every default filled in. */
export type Configuration = z.output<typeof configurationSchema>
