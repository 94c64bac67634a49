import {type CommandEntry, childAliases, wordAliases} from '../command-table.js'
import {globalFlags} from '../global-flags.js'

/** What `oclif.manifest.json` holds of a command beside what the argv layer reads. */
type ManifestFlag = {
  readonly name: string
  readonly char?: string
  readonly type: string
  readonly summary?: string
  readonly description?: string
  readonly helpGroup?: string
  readonly helpValue?: string
  readonly hidden?: boolean
  readonly allowNo?: boolean
  readonly options?: readonly string[]
}
export type ManifestCommand = CommandEntry & {
  readonly description?: string
  readonly examples?: readonly (string | {readonly command?: string; readonly description?: string})[]
  readonly requirement: string
  readonly flags: Readonly<Record<string, ManifestFlag>>
  readonly args: Readonly<
    Record<string, {readonly name: string; readonly description?: string; readonly required?: boolean}>
  >
}

/** The reference page of all commands, in Markdown (Q10). */
export const renderCommands = (commands: readonly ManifestCommand[]): string => {
  const shown = commands
    .filter((command) => command.hidden !== true)
    .sort((left, right) => (left.id < right.id ? -1 : 1))
  return [
    '# Commands',
    '',
    '`requirement` says what a command needs: `none`, `config-only` (resolves configuration, touches nothing), `resolve` (opens a',
    'checkout read only), `load` (opens, registers and imports).',
    '',
    '## Flags of every command',
    '',
    ...globalFlags.map((flag) =>
      flagLine({
        ...flag,
        type: flag.kind === 'switch' || flag.kind === 'count' ? 'boolean' : 'option',
        ...('valueName' in flag ? {helpValue: flag.valueName} : {}),
      }),
    ),
    '',
    '## Short words',
    '',
    ...Object.entries(wordAliases).map(([alias, word]) => `- \`${alias}\` is \`${word}\``),
    ...Object.entries(childAliases).flatMap(([topic, aliases]) =>
      Object.entries(aliases).map(([alias, word]) => `- \`${topic} ${alias}\` is \`${topic} ${word}\``),
    ),
    ...shown.flatMap(section),
  ].join('\n')
}

const section = (command: ManifestCommand): string[] => {
  const words = `jp ${command.id.replaceAll(':', ' ')}`
  const own = Object.values(command.flags).filter((flag) => flag.helpGroup !== 'GLOBAL' && flag.hidden !== true)
  const args = Object.values(command.args)
  const usage = [
    words,
    ...args.map((arg) => (arg.required === true ? arg.name.toUpperCase() : `[${arg.name.toUpperCase()}]`)),
  ]
  return [
    '',
    `## ${words}`,
    '',
    command.summary ?? '',
    '',
    `\`${usage.join(' ')}\`, requirement \`${command.requirement}\``,
    ...(command.description === undefined ? [] : ['', bin(command.description)]),
    ...(args.length === 0
      ? []
      : ['', ...args.map((arg) => `- \`${arg.name.toUpperCase()}\`: ${bin(arg.description ?? '')}`)]),
    ...(own.length === 0 ? [] : ['', ...own.map(flagLine)]),
    ...examples(command),
  ]
}

const bin = (text: string): string => text.replaceAll('<%= config.bin %>', 'jp').replaceAll('<%= command.id %>', '')

const flagLine = (flag: ManifestFlag): string => {
  const value = flag.type === 'boolean' ? '' : ` ${flag.helpValue ?? 'VALUE'}`
  const names = [
    ...(flag.char === undefined ? [] : [`-${flag.char}`]),
    `--${flag.allowNo === true ? '[no-]' : ''}${flag.name}${value}`,
  ]
  const options =
    flag.options === undefined ? '' : ` One of ${flag.options.map((option) => `\`${option}\``).join(', ')}.`
  return `- \`${names.join(', ')}\`: ${bin(flag.summary ?? flag.description ?? '')}${options}`
}

const examples = (command: ManifestCommand): string[] => {
  const lines = (command.examples ?? []).map((example) =>
    typeof example === 'string'
      ? bin(example)
      : `${example.description === undefined ? '' : `# ${example.description}\n`}${bin(example.command ?? '')}`,
  )
  return lines.length === 0 ? [] : ['', '```sh', ...lines, '```']
}
