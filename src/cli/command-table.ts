/** A flag of a command, as far as the argv layer must know it. */
export type CommandFlag = {
  readonly name: string
  readonly char?: string
  readonly type: 'boolean' | 'option'
  /** A boolean that also has `--no-<name>`. */
  readonly allowNo?: boolean
  /** Its value may be left out, and then stands behind a `=` only: `--tmp`, `--tmp=2h`. */
  readonly optionalValue?: boolean
  readonly aliases?: readonly string[]
  readonly charAliases?: readonly string[]
}

/** What the argv layer knows of a built-in command: a part of what `oclif.manifest.json` says of it. */
export type CommandEntry = {
  readonly id: string
  readonly summary?: string
  readonly hidden?: boolean
  readonly flags: Readonly<Record<string, CommandFlag>>
  readonly args: Readonly<Record<string, {readonly name: string; readonly required?: boolean}>>
  readonly strict?: boolean
  /** Accepts more than one `-w`: `jp serve` alone. */
  readonly manyWorkspaces?: boolean
}

/** The part of a command's description that the argv layer reads. */
export const commandEntryOf = (described: CommandEntry): CommandEntry => {
  const {id, summary, hidden, flags, args, strict, manyWorkspaces} = described
  return {
    id,
    ...(summary === undefined ? {} : {summary}),
    ...(hidden === undefined ? {} : {hidden}),
    flags: Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, commandFlagOf(flag)])),
    args: Object.fromEntries(
      Object.entries(args).map(([key, {name, required}]) => [key, required === undefined ? {name} : {name, required}]),
    ),
    ...(strict === undefined ? {} : {strict}),
    ...(manyWorkspaces === undefined ? {} : {manyWorkspaces}),
  }
}

const commandFlagOf = ({name, char, type, allowNo, optionalValue, aliases, charAliases}: CommandFlag): CommandFlag => ({
  name,
  type,
  ...(char === undefined ? {} : {char}),
  ...(allowNo === undefined ? {} : {allowNo}),
  ...(optionalValue === undefined ? {} : {optionalValue}),
  ...(aliases === undefined ? {} : {aliases}),
  ...(charAliases === undefined ? {} : {charAliases}),
})

/** The built-in commands. Ids are words joined by `:`, as in oclif. */
export interface CommandTable {
  find(id: string): CommandEntry | undefined
  /** True when some command lies below this id. */
  isTopic(id: string): boolean
  /** The words that may follow this id (`''` is the root), sorted. */
  childrenOf(id: string): readonly string[]
  all(): readonly CommandEntry[]
}

/** First words that stand for another. */
export const wordAliases: Readonly<Record<string, string>> = {
  w: 'workspace',
  c: 'conversation',
  q: 'query',
  cfg: 'config',
  a: 'attachment',
  aa: 'attachment:add',
  attachments: 'attachment',
  plugin: 'plugins',
  conversations: 'conversation',
}

/** Second words that stand for another, by topic. */
export const childAliases: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  conversation: {
    a: 'archive',
    ua: 'unarchive',
    delete: 'rm',
    del: 'rm',
    e: 'edit',
    f: 'fork',
    g: 'grep',
    rg: 'grep',
    l: 'label',
    labels: 'label',
    list: 'ls',
    p: 'print',
    rem: 'rm',
    remove: 'rm',
    s: 'show',
    u: 'use',
  },
  attachment: {a: 'add', l: 'ls', list: 'ls', p: 'print', r: 'rm', remove: 'rm'},
  'conversation:label': {a: 'add', l: 'ls', list: 'ls', r: 'rm', set: 'add'},
  workspace: {list: 'ls', s: 'show', u: 'use'},
  plugins: {ls: 'list', add: 'install', remove: 'uninstall', unlink: 'uninstall'},
}

/** What one more word makes of an id: aliases are spelled out. */
export const childId = (id: string, word: string): string => {
  const aliases = id === '' ? wordAliases : (childAliases[id] ?? {})
  const name = Object.hasOwn(aliases, word) ? (aliases[word] ?? word) : word
  return id === '' ? name : `${id}:${name}`
}

/** The id that words spell: `['c', 'list']` is `conversation:ls`. It may name nothing. */
export const resolveWords = (words: readonly string[]): string => words.reduce(childId, '')

/** Creates the table from the manifest's `commands`. */
export const createCommandTable = (commands: Readonly<Record<string, CommandEntry>>): CommandTable => {
  const children = new Map<string, Set<string>>()
  for (const id of Object.keys(commands)) {
    const words = id.split(':')
    words.forEach((word, depth) => {
      const parent = words.slice(0, depth).join(':')
      const known = children.get(parent) ?? new Set()
      children.set(parent, known.add(word))
    })
  }
  return {
    find: (id) => (Object.hasOwn(commands, id) ? commands[id] : undefined),
    isTopic: (id) => children.has(id),
    childrenOf: (id) => [...(children.get(id) ?? [])].sort(),
    all: () => Object.values(commands),
  }
}
