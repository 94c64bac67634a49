import {join, relative} from 'node:path'
import {JpError} from '../../../errors/jp-error.js'
import {bounded} from './bounded-text.js'
import type {BuiltInTool} from './built-in-tool.js'
import {type FileAccess, shownIn, type UsablePath} from './file-access.js'
import {searchFiles} from './search-files.js'
import {maxWalkedFiles, walkFiles} from './walk-files.js'

const path = {type: 'string', description: 'The path, from the root of the checkout.'} as const

/** Reads one file. */
export const readFile: BuiltInTool = {
  description: 'Read a text file of the checkout, whole or a range of lines.',
  inputSchema: {
    type: 'object',
    properties: {
      path,
      start_line: {type: 'integer', description: 'The first line, counted from 1.'},
      end_line: {type: 'integer', description: 'The last line.'},
    },
    required: ['path'],
  },
  async run({path: written, start_line: start, end_line: end}, {access, hands}, signal) {
    const whole = await hands.files.read(access.use(text(written), 'read').path, signal)
    if (start === undefined && end === undefined) return bounded(whole)
    return bounded(
      whole
        .split('\n')
        .slice(Math.max(0, Number(start ?? 1) - 1), end === undefined ? undefined : Number(end))
        .join('\n'),
    )
  },
}

/** Lists files. */
export const listFiles: BuiltInTool = {
  description: 'List the files of the checkout below a folder, one path a line. Leaves out .git and node_modules.',
  inputSchema: {
    type: 'object',
    properties: {
      path: {type: 'string', description: 'The folder; the whole checkout when absent.', default: '.'},
      glob: {type: 'string', description: 'Only files that fit, such as "*.ts" or "src/**/*.ts".'},
    },
  },
  run({path: written, glob}, {access}) {
    const folder = access.use(optionalText(written) ?? '.', 'read')
    const files = filesBelow(folder, access, optionalText(glob)).map((file) => shownIn(folder, file))
    if (files.length === 0) return 'No files.'
    return bounded([...files, ...(files.length >= maxWalkedFiles ? ['[… more files left out …]'] : [])].join('\n'))
  },
}

/** Searches files. */
export const search: BuiltInTool = {
  description: 'Search the text files of the checkout; gives path:line:text, one a line.',
  inputSchema: {
    type: 'object',
    properties: {
      pattern: {type: 'string', description: 'The text to find.'},
      regex: {type: 'boolean', description: 'The pattern is a JavaScript regular expression.', default: false},
      ignore_case: {type: 'boolean', description: 'Upper and lower case are the same.', default: false},
      path: {type: 'string', description: 'The folder to search; the whole checkout when absent.', default: '.'},
      glob: {type: 'string', description: 'Only files that fit, such as "*.ts".'},
    },
    required: ['pattern'],
  },
  run({pattern, regex, ignore_case: ignoreCase, path: written, glob}, {access}) {
    const folder = access.use(optionalText(written) ?? '.', 'read')
    const files = filesBelow(folder, access, optionalText(glob))
    const found = searchFiles(folder, files, {
      pattern: text(pattern),
      regex: regex === true,
      ignoreCase: ignoreCase === true,
    })
    return found.length === 0 ? 'Nothing found.' : bounded(found.join('\n'))
  },
}

/** Writes one file. */
export const writeFile: BuiltInTool = {
  description: 'Write a text file of the checkout: a new one, or all of an existing one. Missing folders are made.',
  inputSchema: {
    type: 'object',
    properties: {path, content: {type: 'string', description: 'The whole new text.'}},
    required: ['path', 'content'],
  },
  async run({path: written, content}, {access, hands}, signal) {
    const {path: file, shown} = access.change(text(written))
    await hands.files.write(file, text(content), signal)
    return `Wrote ${shown}.`
  },
}

/** Changes a part of one file. */
export const patchFile: BuiltInTool = {
  description:
    'Replace a piece of text in a file of the checkout. The old text must stand there exactly once, unless all is set.',
  inputSchema: {
    type: 'object',
    properties: {
      path,
      old: {type: 'string', description: 'The text to replace, exactly as it stands there.'},
      new: {type: 'string', description: 'The text to put in its place.'},
      all: {type: 'boolean', description: 'Replace it wherever it stands.', default: false},
    },
    required: ['path', 'old', 'new'],
  },
  async run(args, {access, hands}, signal) {
    const {path: file, shown} = access.change(text(args['path']))
    const {text: next, count} = patched(await hands.files.read(file, signal), args)
    await hands.files.write(file, next, signal)
    return `Changed ${count} ${count === 1 ? 'place' : 'places'} in ${shown}.`
  },
}

/**
 * What a call of {@link patchFile} makes of a file's text, and in how many places.
 * @throws JpError `usage` when the old text does not stand there as the call says.
 */
export const patched = (
  whole: string,
  {path: written, old, new: next, all}: Readonly<Record<string, unknown>>,
): {readonly text: string; readonly count: number} => {
  const parts = whole.split(text(old))
  const count = old === '' ? 0 : parts.length - 1
  if (count === 0) throw new JpError('usage', `The old text does not stand in ${text(written)}.`)
  if (count > 1 && all !== true) {
    throw new JpError('usage', `The old text stands in ${text(written)} ${count} times; give more of it, or set all.`)
  }
  return {text: parts.join(text(next)), count}
}

/** The arguments were checked against the schema: what must be a text is one. */
const text = (value: unknown): string => optionalText(value) ?? ''

const optionalText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** The files below a folder that may be read, as paths from what the folder was proven to lie inside. */
const filesBelow = ({path: folder, base}: UsablePath, access: FileAccess, glob: string | undefined): string[] =>
  [...walkFiles(base, relative(base, folder).replaceAll('\\', '/'), glob)].filter((file) =>
    access.mayRead(join(base, file)),
  )
