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
export const commandEntryOf = (described: CommandEntry): CommandEntry => ({
  ...only(described, ['id', 'summary', 'hidden', 'strict', 'manyWorkspaces']),
  flags: each(described.flags, ['name', 'char', 'type', 'allowNo', 'optionalValue', 'aliases', 'charAliases']),
  args: each(described.args, ['name', 'required']),
})

const each = <Value extends object>(
  values: Readonly<Record<string, Value>>,
  keys: readonly (keyof Value)[],
): Readonly<Record<string, Value>> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, only(value, keys)]))

const only = <Value extends object>(value: Value, keys: readonly (keyof Value)[]): Value =>
  Object.fromEntries(keys.flatMap((key) => (value[key] === undefined ? [] : [[key, value[key]]]))) as Value

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
