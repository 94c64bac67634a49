import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {optionalValue} from '../src/cli/optional-value.js'
import {readQueryOptions, toolFlagsOf} from '../src/cli/query/read-query-options.js'
import {WorkspaceCommand} from '../src/cli/workspace-command.js'

export default class Query extends WorkspaceCommand {
  static override summary = 'Send a message to the assistant and print its answer.'
  static override description =
    'Goes on with the conversation of this session, or starts one. What stands on stdin goes in front of the message; in ' +
    'a loop that reads stdin itself, give it </dev/null. The answer alone is printed on stdout.'
  static override examples = [
    '<%= config.bin %> query --new "Why is the build slow?"',
    'cat notes.txt | <%= config.bin %> query "sum up"',
    '<%= config.bin %> query --id jp-c17500000001 --model anthropic/claude-sonnet-4-5 "go on"',
    '<%= config.bin %> query --new --schema \'{"type":"object","properties":{"name":{"type":"string"}}}\' "Invent a name"',
  ]
  static override strict = false
  static override usage = 'query [MESSAGE...] [--new | --id TARGET] [--fork=N] [--edit | --no-edit] [FLAGS]'
  static override args = {
    message: Args.string({description: 'The message; several words are joined by spaces.', ignoreStdin: true}),
  }
  static override flags = {
    new: Flags.boolean({char: 'n', summary: 'Start a new conversation.'}),
    id: Flags.string({
      char: 'i',
      summary: 'Go on with this conversation: an id, the beginning of an id or a title, or a rule.',
      helpValue: 'TARGET',
      aliases: ['ids'],
      exclusive: ['new'],
    }),
    replay: Flags.boolean({
      summary: 'Send the last request again, as if it had no answer; the answer that it has stays stored.',
      exclusive: ['new', 'edit', 'quote', 'template'],
    }),
    template: Flags.boolean({
      summary: 'The message is a template: {{name}} becomes template.values.name, or what you answer.',
    }),
    fork: optionalValue(
      Flags.string({
        summary: 'Go on in a copy, such as --fork=3 with the last three turns; without a number, with all.',
        helpValue: 'N',
        exclusive: ['new'],
      }),
    ),
    there: Flags.boolean({summary: 'Run in the checkout that the conversation last ran in.', exclusive: ['new']}),
    local: Flags.boolean({
      char: 'l',
      summary: 'Keep a new conversation out of the checkout.',
      exclusive: ['no-local'],
    }),
    'no-local': Flags.boolean({char: 'L', summary: 'Project a new conversation into the checkout.'}),
    tmp: optionalValue(
      Flags.string({
        summary:
          'A new conversation that may go after a time, such as --tmp=2h, or without one as soon as no session is in it: see conversation rm --expired.',
        helpValue: 'DURATION',
        dependsOn: ['new'],
      }),
    ),
    title: Flags.string({summary: 'The title of the conversation.', helpValue: 'TITLE'}),
    'no-title': Flags.boolean({summary: 'A new conversation gets no title by itself.', exclusive: ['title']}),
    label: Flags.string({
      summary: 'Put a label on the conversation; :NAME is the one that conversation.labels.NAME says. Repeatable.',
      helpValue: 'KEY[=VALUE]',
      multiple: true,
      multipleNonGreedy: true,
    }),
    attach: Flags.string({
      char: 'a',
      aliases: ['attachment'],
      summary: 'Attach something, from here on: a file, a glob, cmd:…, https://…, mcp+SERVER:URI, jp://ID. Repeatable.',
      helpValue: 'WHAT',
      multiple: true,
      multipleNonGreedy: true,
    }),
    mount: Flags.string({
      summary:
        'Let tools use something outside the checkout, from here on: NAME=PATH, or TOOL:NAME=PATH for one tool; :rw at the end lets them write. Repeatable.',
      helpValue: '[TOOL:]NAME=PATH[:ro|rw]',
      multiple: true,
      multipleNonGreedy: true,
    }),
    model: Flags.string({char: 'm', summary: 'The model, from here on.', helpValue: 'PROVIDER/NAME'}),
    param: Flags.string({
      char: 'p',
      summary: 'A parameter of the model, from here on. Repeatable.',
      helpValue: 'KEY=VALUE',
      multiple: true,
      multipleNonGreedy: true,
    }),
    reasoning: Flags.string({
      char: 'r',
      summary: 'How much the model thinks: off, auto, low, medium, high, … or a number of tokens.',
      helpValue: 'EFFORT',
    }),
    'no-reasoning': Flags.boolean({char: 'R', summary: 'The model does not think.', exclusive: ['reasoning']}),
    'hide-reasoning': Flags.boolean({summary: 'Do not show what the model thinks.'}),
    'hide-tool-calls': Flags.boolean({summary: 'Do not show tool calls.'}),
    tool: Flags.string({
      char: 't',
      summary: 'Switch a tool on, from here on. Repeatable.',
      helpValue: 'NAME',
      multiple: true,
      multipleNonGreedy: true,
    }),
    'no-tool': Flags.string({
      summary: 'Switch a tool off, from here on. Repeatable.',
      helpValue: 'NAME',
      multiple: true,
      multipleNonGreedy: true,
    }),
    tools: Flags.boolean({summary: 'Switch all tools on, from here on.'}),
    'no-tools': Flags.boolean({char: 'T', summary: 'Switch all tools off, from here on.'}),
    'tool-use': Flags.string({
      char: 'u',
      summary: 'Whether the model may call tools: auto, none, required, or the name of one.',
      helpValue: 'CHOICE',
    }),
    compact: optionalValue(
      Flags.string({
        char: 'k',
        summary:
          'Make the conversation shorter for the model first, as conversation.compaction.rules say, or such as --compact=r+t:..-4.',
        helpValue: 'SPEC',
        exclusive: ['new'],
      }),
    ),
    'no-tool-use': Flags.boolean({char: 'U', summary: 'The model may call no tools.', exclusive: ['tool-use']}),
    'allow-denied': Flags.boolean({summary: 'End with 0 also when tool calls were denied.'}),
    schema: Flags.string({
      char: 's',
      summary: 'Ask for JSON of this shape: a JSON schema, @FILE with one, or "name, age int".',
      helpValue: 'SCHEMA',
    }),
    edit: Flags.boolean({char: 'e', summary: 'Write the message in the editor.', exclusive: ['no-edit']}),
    'no-edit': Flags.boolean({
      char: 'E',
      summary: 'Open no editor: without a message, send again what has no answer, else go on.',
    }),
    quote: optionalValue(
      Flags.string({
        summary: 'Write the message in the editor, which starts with the last answer, quoted.',
        helpValue: 'BOOL',
      }),
    ),
  }

  override async run(): Promise<void> {
    const {flags, argv, raw} = await this.parse(Query)
    const {runQuery} = await import('../src/cli/query/run-query.js')
    const typed = {flags, words: argv.map(String), toolFlags: toolFlagsOf(raw)}
    await runQuery(this.invocation, this.context, readQueryOptions(typed, this.invocation))
  }
}
