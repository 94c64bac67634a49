import {JpError} from '../errors/jp-error.js'
import {nearest} from '../platform/nearest.js'
import {type CommandEntry, type CommandFlag, type CommandTable, childId} from './command-table.js'
import {type GlobalFlag, type GlobalOptions, globalFlags, type OutputFormat, outputFormats} from './global-flags.js'

/**
 * A command line, taken apart (W12). `external` is the seam for plugins: its words are as the user typed them, from the
 * first word on, less the global flags that stood before the word that no built-in command has.
 */
export type CommandLine = {readonly globals: GlobalOptions} & (
  | {readonly kind: 'command'; readonly command: CommandEntry; readonly argv: readonly string[]}
  | {readonly kind: 'help'; readonly id: string}
  | {readonly kind: 'version'}
  | {readonly kind: 'external'; readonly words: readonly string[]; readonly at: string; readonly help: boolean}
)

/**
 * Reads `argv` (without `node` and the script).
 * @throws JpError `usage`: an unknown flag before the command, a flag without its value, a second `-w`, a bad value.
 */
export const readCommandLine = (argv: readonly string[], table: CommandTable): CommandLine => {
  const walk = createWalk(argv, table)
  while (walk.step()) {
    // One token, or a flag with its value, a step.
  }
  return walk.result()
}

type Raw = Map<string, string[]>

const createWalk = (argv: readonly string[], table: CommandTable) => {
  const raw: Raw = new Map()
  const typed: string[] = []
  const rest: string[] = []
  let id = ''
  let at = 0
  let done: 'words' | 'arguments' | 'external' = 'words'
  let help = false
  let version = false

  const command = (): CommandEntry | undefined => table.find(id)
  const add = (flag: GlobalFlag, value: string): void => {
    raw.set(flag.name, [...(raw.get(flag.name) ?? []), value])
  }

  const takeValue = (shown: string, valueName: string): string => {
    const value = argv[at]
    if (value === undefined) throw new JpError('usage', `${shown} needs a value: ${shown} ${valueName}.`)
    at += 1
    return value
  }

  const takeGlobal = (flag: GlobalFlag, shown: string, attached: string | undefined): void => {
    if (flag.kind === 'switch' || flag.kind === 'count') {
      if (attached !== undefined) throw new JpError('usage', `${shown} takes no value.`)
      add(flag, '')
    } else add(flag, attached ?? takeValue(shown, flag.valueName ?? 'VALUE'))
  }

  const takeLong = (token: string): void => {
    const equals = token.indexOf('=')
    const name = token.slice(2, equals === -1 ? undefined : equals)
    const attached = equals === -1 ? undefined : token.slice(equals + 1)
    const local = command() === undefined ? undefined : localLong(command(), name)
    if (local !== undefined) {
      const isBare = local.type === 'option' && attached === undefined
      rest.push(isBare && local.optionalValue === true ? `${token}=` : token)
      if (isBare && local.optionalValue !== true && argv[at] !== undefined) rest.push(argv[at++] as string)
      return
    }
    const flag = globalFlags.find((candidate) => candidate.name === name)
    // The spelling of oclif's own commands (P28).
    if (name === 'json') raw.set('json', [])
    else if (flag !== undefined) takeGlobal(flag, `--${name}`, attached)
    else if (name === 'help') help = true
    else if (name === 'version' && id === '') version = true
    else throw unknownFlag(`--${name}`, id, table)
  }

  /** `-w X`, `-wX`, and clusters such as `-qv` or, behind a command, `-qn`. */
  const takeShort = (token: string): void => {
    for (let index = 1; index < token.length; index++) {
      const char = token[index] as string
      const tail = token.slice(index + 1)
      const local = localShort(command(), char)
      const flag = globalFlags.find((candidate) => 'char' in candidate && candidate.char === char)
      if (local?.type === 'boolean') rest.push(`-${char}`)
      else if (local !== undefined) {
        const isOptional = local.optionalValue === true
        rest.push(isOptional ? `-${char}=${tail.replace(/^=/, '')}` : `-${char}${tail}`)
        if (!isOptional && tail === '' && argv[at] !== undefined) rest.push(argv[at++] as string)
        return
      } else if (flag === undefined) {
        if (char === 'h') help = true
        else if (char === 'V' && id === '') version = true
        else throw unknownFlag(`-${char}`, id, table)
      } else if (flag.kind === 'switch' || flag.kind === 'count') takeGlobal(flag, `-${char}`, undefined)
      else {
        takeGlobal(flag, `-${char}`, tail === '' ? undefined : tail.replace(/^=/, ''))
        return
      }
    }
  }

  const takeWord = (token: string): void => {
    if (done === 'words') {
      const next = childId(id, token)
      if (table.find(next) !== undefined || table.isTopic(next)) {
        id = next
        typed.push(token)
        return
      }
      // `serve` and `plugins` are commands and groups: behind the bare group, a word is a child, be it one that plugins add.
      if (command() === undefined || (isGroup(command(), table) && rest.length === 0)) {
        done = 'external'
        at -= 1
        return
      }
      done = 'arguments'
    }
    rest.push(token)
  }

  return {
    step(): boolean {
      const token = argv[at]
      if (token === undefined || done === 'external') return false
      at += 1
      if (token === '--') {
        rest.push(...argv.slice(at - 1))
        at = argv.length
      } else if (token.startsWith('--')) takeLong(token)
      else if (token.startsWith('-') && token !== '-' && !isNegativeNumber(token, command())) takeShort(token)
      else takeWord(token)
      return true
    },
    result(): CommandLine {
      const found = command()
      const globals = toOptions(raw, found)
      if (version) return {kind: 'version', globals}
      if (done === 'external') return {kind: 'external', globals, words: [...typed, ...argv.slice(at)], at: id, help}
      if (help || found === undefined) return {kind: 'help', id, globals}
      return {kind: 'command', command: found, argv: rest, globals}
    },
  }
}

/** A command that other commands lie below, and that takes no word itself. */
const isGroup = (command: CommandEntry | undefined, table: CommandTable): boolean =>
  command !== undefined && table.isTopic(command.id) && Object.keys(command.args).length === 0

const isNegativeNumber = (token: string, command: CommandEntry | undefined): boolean =>
  command !== undefined && /^-\d+$/.test(token)

const flagsOf = (command: CommandEntry | undefined): readonly CommandFlag[] =>
  Object.values(command?.flags ?? {}).filter((flag) => !globalFlags.some((global) => global.name === flag.name))

const localLong = (command: CommandEntry | undefined, name: string): CommandFlag | undefined =>
  flagsOf(command).find(
    (flag) =>
      flag.name === name ||
      flag.aliases?.includes(name) === true ||
      (flag.allowNo === true && name === `no-${flag.name}`),
  )

const localShort = (command: CommandEntry | undefined, char: string): CommandFlag | undefined =>
  flagsOf(command).find((flag) => flag.char === char || flag.charAliases?.includes(char) === true)

const unknownFlag = (shown: string, id: string, table: CommandTable): JpError => {
  const where = id === '' ? 'jp' : `jp ${id.replaceAll(':', ' ')}`
  const own = flagsOf(table.find(id)).flatMap((flag) => [
    `--${flag.name}`,
    ...(flag.allowNo === true ? [`--no-${flag.name}`] : []),
  ])
  const near = nearest(shown, [...own, ...globalFlags.map((flag) => `--${flag.name}`), '--help'])
  const known = table.find(id) === undefined && id !== '' ? ' Flags of a command stand behind its last word.' : ''
  return new JpError('usage', `${where} has no flag ${shown}.${known}`, {
    hint: near === undefined ? `See "${where} --help".` : `Did you mean ${near}?`,
  })
}

const toOptions = (raw: Raw, command: CommandEntry | undefined): GlobalOptions => {
  const last = (name: string): string | undefined => raw.get(name)?.at(-1)
  const workspace = raw.get('workspace') ?? []
  if (workspace.length > 1 && command?.manyWorkspaces !== true) {
    throw new JpError('usage', `-w was given ${workspace.length} times: ${workspace.join(', ')}.`, {
      hint: 'A command acts in one workspace. Only "jp serve" takes several.',
    })
  }
  return {
    workspace,
    cfg: [...(raw.has('no-cfg') ? ['NONE'] : []), ...(raw.get('cfg') ?? [])],
    format: raw.has('json') ? 'json' : formatOf(last('format')),
    quiet: raw.has('quiet'),
    verbosity: raw.get('verbose')?.length ?? 0,
    logFile: last('log-file'),
    width: widthOf(last('width')),
    noColor: raw.has('no-color'),
    nonInteractive: raw.has('non-interactive'),
    noPersist: raw.has('no-persist'),
  }
}

const formatOf = (value: string | undefined): OutputFormat => {
  const format = outputFormats.find((candidate) => candidate === (value ?? 'auto'))
  if (format !== undefined) return format
  throw new JpError('usage', `--format can't be "${value}".`, {hint: `Use one of: ${outputFormats.join(', ')}.`})
}

const widthOf = (value: string | undefined): number | undefined => {
  if (value === undefined) return undefined
  if (/^\d{1,5}$/.test(value)) return Number(value)
  throw new JpError('usage', `--width needs a number of columns, not "${value}".`)
}
