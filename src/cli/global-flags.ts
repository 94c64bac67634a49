/**
 * The flags that every command has, in one table: the argv layer reads it, and the oclif classes take their help
 * from it. They are read before oclif sees the command line, so they may stand anywhere (W12).
 */
export type GlobalFlag = {
  readonly name: string
  readonly char?: string
  /** `count` and `switch` take no value; `list` may be repeated. */
  readonly kind: 'value' | 'list' | 'switch' | 'count'
  readonly summary: string
  readonly valueName?: string
  readonly options?: readonly string[]
}

/** What `--format` takes. `auto` is `text-pretty` on a terminal and `text` elsewhere. */
export const outputFormats = ['auto', 'text', 'text-pretty', 'json', 'json-pretty'] as const
export type OutputFormat = (typeof outputFormats)[number]

export const globalFlags = [
  {
    name: 'workspace',
    char: 'w',
    kind: 'list',
    valueName: 'TARGET',
    summary: 'Act in this workspace: a path, an id, ID@FOLDER, ? to pick; see "jp help targets".',
  },
  {
    name: 'cfg',
    char: 'c',
    kind: 'list',
    valueName: 'KEY=VALUE',
    summary: 'Set configuration for this run: key=value, key:=json, key+=value, a name or @file. Repeatable.',
  },
  {
    name: 'no-cfg',
    kind: 'switch',
    summary: 'Start from the built-in defaults: no file, no JP_CFG_*, nothing stored; --cfg still counts.',
  },
  {
    name: 'format',
    char: 'F',
    kind: 'value',
    valueName: 'FORMAT',
    options: outputFormats,
    summary: 'How to print. auto is text-pretty on a terminal, text elsewhere.',
  },
  {name: 'quiet', char: 'q', kind: 'switch', summary: 'Print the answer only: no notes and no progress.'},
  {name: 'verbose', char: 'v', kind: 'count', summary: 'Trace more; repeat for more: -v, -vv.'},
  {name: 'log-file', kind: 'value', valueName: 'FILE', summary: 'Write the trace to this file; - is stderr.'},
  {name: 'width', kind: 'value', valueName: 'COLUMNS', summary: 'Lay out for this many columns; 0 means unknown.'},
  {name: 'no-color', kind: 'switch', summary: 'No colours; NO_COLOR=1 does the same.'},
  {
    name: 'non-interactive',
    kind: 'switch',
    summary: 'Ask nothing, even on a terminal; JP_NON_INTERACTIVE=1 does the same.',
  },
  {name: 'no-persist', char: 'P', kind: 'switch', summary: 'Store nothing: no conversation, no session record.'},
] as const satisfies readonly GlobalFlag[]

/** The global flags of one run, read and checked. */
export type GlobalOptions = {
  readonly workspace: readonly string[]
  readonly cfg: readonly string[]
  readonly format: OutputFormat
  readonly quiet: boolean
  readonly verbosity: number
  readonly logFile: string | undefined
  /** Undefined: ask the terminal. 0: unknown. Unit: columns. */
  readonly width: number | undefined
  readonly noColor: boolean
  readonly nonInteractive: boolean
  readonly noPersist: boolean
}
