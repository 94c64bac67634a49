import * as Flags from '@oclif/core/flags'
import {JpCommand} from '../src/cli/base-command.js'
import {openDaemonLog} from '../src/cli/daemon-log.js'
import {ownCommand, ownMemory} from '../src/cli/own-command.js'
import {untilStopped} from '../src/cli/until-stopped.js'
import {listeningLine, startReport} from '../src/daemon/listening-line.js'
import {serve} from '../src/daemon/serve.js'
import {readServeFlags, serveOptions} from '../src/daemon/serve-options.js'
import {JpError} from '../src/errors/jp-error.js'
import {stayLean} from '../src/platform/memory.js'

export default class Serve extends JpCommand {
  static override summary = 'Serve sessions of one or several workspaces over HTTP.'
  static override description =
    'Sessions are conversations: "jp c ls" lists them, "jp query" continues them. Clients make them, send prompts and follow server-sent events; docs/how-to/daemon.md has the lines. -w names a workspace and may be repeated; the first is the primary. A token is needed on loopback too: "jp serve env" prints it.'

  static override manyWorkspaces = true

  static override flags = {
    port: Flags.string({summary: 'The port; 0 takes a free one. 4170 by default.', helpValue: 'PORT'}),
    hostname: Flags.string({summary: 'The address to listen on. 127.0.0.1 by default.', helpValue: 'HOST'}),
    token: Flags.string({summary: 'The token. Others can read it in the process list: prefer --token-file.'}),
    'token-file': Flags.string({summary: 'A file that holds the token.', helpValue: 'FILE'}),
    'no-auth': Flags.boolean({summary: 'Ask for no token; on loopback only.'}),
    'require-auth': Flags.boolean({summary: 'Ask for the token on /health too.'}),
    'max-sessions': Flags.string({summary: 'Live sessions per workspace; 0 is no cap. 32 by default.', helpValue: 'N'}),
    'max-total-sessions': Flags.string({
      summary:
        'Live sessions over all workspaces. By default --max-sessions times the workspaces, when there are several.',
      helpValue: 'N',
    }),
    'max-pending-prompts': Flags.string({
      summary: 'Prompts per session, the running one included. 5 by default.',
      helpValue: 'N',
    }),
    'event-ring-size': Flags.string({
      summary: 'Events of a session that can be replayed. 8000 by default.',
      helpValue: 'N',
    }),
    'max-connections': Flags.string({
      summary: 'Open connections; those beyond are reset. 0 is no cap. 256 by default.',
      helpValue: 'N',
    }),
    agent: Flags.string({
      summary: 'Another ACP agent than jp: a command with its arguments; as serve.agent.command in the configuration.',
      helpValue: 'COMMAND',
    }),
  }

  static override examples = [
    '<%= config.bin %> serve',
    '<%= config.bin %> serve -w ~/src/app -w ~/src/lib --port 4180',
    '<%= config.bin %> serve --agent "other-agent --acp"',
  ]

  override async run(): Promise<void> {
    stayLean()
    const {globals} = this.invocation
    if (globals.noPersist)
      throw new JpError('usage', 'Sessions are conversations of the store: --no-persist does not go with them.')
    const fast = globals.workspace.length > 1 ? undefined : readServeFlags(this.argv)
    const options = serveOptions(fast ?? (await this.parse(Serve)).flags)
    if (options.token !== undefined) this.output.warn('The process list shows --token to others: use --token-file.')
    // Before the line that others wait for: a signal may follow it at once.
    const stopped = untilStopped()
    const daemon = await serve({
      options,
      launch: this.invocation,
      version: this.invocation.version,
      openLog: (redact) => openDaemonLog(this.invocation, redact),
      cfg: globals.cfg,
      ownAgent: (root, cfg) => ownCommand('-w', root, ...cfg.flatMap((argument) => ['--cfg', argument]), 'acp'),
      memory: ownMemory,
    })
    this.output.line(listeningLine(daemon), startReport(daemon))
    await stopped
    await daemon.stop()
  }
}
