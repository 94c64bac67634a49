import {JpCommand} from '../src/cli/base-command.js'
import {takeProtocolStdio} from '../src/cli/protocol-stdio.js'
import {JpError} from '../src/errors/jp-error.js'
import {stayLean} from '../src/platform/memory.js'

/** How long the process may live once its end has begun (D28). Unit: milliseconds. */
const lastMs = 550

export default class Acp extends JpCommand {
  static override summary = 'Serve an editor over the Agent Client Protocol, on stdin and stdout.'
  static override description =
    'An editor starts it and speaks JSON-RPC with it, one message a line. A session runs in the workspace above its cwd and is a conversation: "jp c ls" lists it, "jp query" continues it. With -w the agent serves that checkout alone. It ends when stdin closes. docs/how-to/editors.md has the lines for your editor.'

  static override examples = ['<%= config.bin %> acp', '<%= config.bin %> -w ~/src/app acp']

  override async run(): Promise<void> {
    await this.parse(Acp)
    stayLean()
    const {serveAcp} = await import('../src/acp/serve.js')
    const {ending, trace, redact, version, ...launch} = this.invocation
    const {cfg, noPersist} = launch.globals
    if (noPersist)
      throw new JpError('usage', 'A session is a conversation of the store: --no-persist does not go with it.')
    const stdio = takeProtocolStdio(ending)
    const begun = (): void => stdio.endWithin(lastMs)
    await serveAcp({launch, cfg, trace, redact, version}, stdio.pipe, {signal: stdio.signal, begun})
  }
}
