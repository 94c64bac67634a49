import {Config} from '@oclif/core/config'
import {Help} from '@oclif/core/help'
import {JpError} from '../errors/jp-error.js'
import {nearest} from '../platform/nearest.js'
import {packageRoot} from '../platform/package-root.js'
import {resolveWords} from './command-table.js'
import {helpTopics} from './help-topics.js'
import type {Invocation} from './invocation.js'
import {pluginRows, reachedPlugin} from './plugin-rows.js'

/** Lay out for this many columns when the terminal does not tell, and for no more than that otherwise. */
const columns = {unknown: 100, most: 120} as const

const firstSteps = [
  '$ jp init                       make a workspace here and choose a model',
  '$ jp query "What is in here?"   ask; cat notes.txt | jp query "Sum up" works too',
  "$ jp c ls                       conversations; jp query continues this session's",
  '$ jp w ls                       workspaces and their checkouts',
].join('\n')

/** oclif's help, on our printer. */
class JpHelp extends Help {
  readonly lines: string[] = []

  protected override log(...texts: string[]): void {
    this.lines.push(texts.join(' '))
  }

  override formatRoot(): string {
    return `${super.formatRoot()}\n\n${this.section('FIRST STEPS', firstSteps)}`
  }

  protected override async showRootHelp(): Promise<void> {
    await super.showRootHelp()
    const rows: [string, string][] = helpTopics.map((topic) => [`help ${topic.name}`, topic.summary])
    this.logList('HELP TOPICS', rows)
    this.log('Flags of every command, -w and --cfg among them: any command with --help.')
  }

  /** A section of names with what they are, and an empty line. */
  logList(title: string, rows: readonly (readonly [string, string])[]): void {
    const list = this.renderList(
      rows.map(([name, text]): [string, string] => [name, text]),
      {indentation: 2, spacer: '\n', stripAnsi: this.opts.stripAnsi ?? false},
    )
    this.log(this.section(title, list))
    this.log('')
  }
}

/**
 * Prints the help of a command, a topic of commands or (with `''`) of jp. The full oclif configuration is loaded for this
 * alone; it reads our own manifest and looks for no plugins.
 */
export const printHelp = async (id: string, invocation: Invocation): Promise<void> => {
  const config = await Config.load({root: packageRoot(), userPlugins: false, devPlugins: false})
  const {width} = invocation.output
  const help = new JpHelp(config, {
    maxWidth: width === 0 ? columns.unknown : Math.min(width, columns.most),
    stripAnsi: true,
  })
  await help.showHelp(id === '' ? [] : id.split(':'))
  const plugins = pluginRows(id, invocation)
  if (plugins.length > 0) {
    help.lines.push('')
    help.logList('PLUGINS', plugins)
  }
  await invocation.output.write(`${help.lines.join('\n').trimEnd()}\n`)
}

/**
 * `jp help …`: a page of `help-topics.ts`, or the help of the command that the words name.
 * @throws JpError `command_not_found`.
 */
export const printHelpFor = async (words: readonly string[], invocation: Invocation): Promise<void> => {
  const page = words.length === 1 ? helpTopics.find((topic) => topic.name === words[0]) : undefined
  if (page !== undefined) return invocation.output.write(`${page.text()}\n`)
  const {commands} = invocation
  const id = resolveWords(words)
  if (id === '' || commands.find(id) !== undefined || commands.isTopic(id)) return printHelp(id, invocation)
  const plugin = reachedPlugin(words, invocation)
  if (plugin !== undefined) {
    const {runExternal} = await import('./external.js')
    return runExternal({words, at: plugin.at, help: true}, invocation, commands)
  }
  const near = nearest(words.join(' '), [
    ...helpTopics.map((topic) => topic.name),
    ...commands.all().map((command) => command.id.replaceAll(':', ' ')),
  ])
  throw new JpError('command_not_found', `There is no help for "${words.join(' ')}".`, {
    hint: near === undefined ? 'See "jp help" for what there is.' : `Did you mean "jp help ${near}"?`,
  })
}
