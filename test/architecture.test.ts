import assert from 'node:assert/strict'
import {readdirSync, readFileSync} from 'node:fs'
import {dirname, join, relative, resolve} from 'node:path'
import {repository} from './support/jp.js'

/** The table of docs/architecture.md. A change to it comes with a decision record. */
const ranks: Readonly<Record<string, number>> = {
  errors: 0,
  platform: 1,
  protocol: 1,
  workspace: 2,
  conversation: 2,
  session: 2,
  config: 3,
  providers: 3,
  mcp: 3,
  bootstrap: 4,
  turn: 4,
  plugin: 5,
  acp: 5,
  daemon: 5,
  cli: 5,
  commands: 6,
}

/** Folders of one rank that may import each other: from, to. */
const neighbours: ReadonlySet<string> = new Set([
  // The wire shapes of ids are those of the id grammar.
  'protocol > platform',
  // The seam: what no built-in command takes goes to a plugin (decision 0003).
  'cli > plugin',
])

/** Only these may touch `process.*`, `Date.now` and `console`. */
const effectful: ReadonlySet<string> = new Set(['platform', 'cli'])

const sources = ['src', 'commands'].flatMap((top) =>
  readdirSync(join(repository, top), {recursive: true, withFileTypes: true})
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name)),
)

const folderOf = (file: string): string => {
  const [top, next] = relative(repository, file).split('/')
  return top === 'commands' ? 'commands' : (next ?? '')
}

const importsOf = (text: string): string[] =>
  [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map((match) => match[1] ?? '')

/** The code of a file without its comments and texts, as far as the rules below need. */
const codeOf = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, '')

describe('architecture', () => {
  it('every folder of src has a rank', () => {
    const unknown = new Set(sources.map(folderOf).filter((folder) => ranks[folder] === undefined))
    assert.deepEqual([...unknown], [])
  })

  it('a folder imports only lower ranks, and no folder of its own rank', () => {
    const wrong = sources.flatMap((file) => {
      const from = folderOf(file)
      return importsOf(readFileSync(file, 'utf8'))
        .map((specifier) => folderOf(resolve(dirname(file), specifier)))
        .filter((to) => to !== from)
        .filter((to) => (ranks[to] ?? 99) >= (ranks[from] ?? 0) && !neighbours.has(`${from} > ${to}`))
        .map((to) => `${relative(repository, file)} imports ${to}`)
    })
    assert.deepEqual(wrong, [])
  })

  it('process, the clock and the console stand in platform and cli only', () => {
    const wrong = sources
      .filter((file) => !effectful.has(folderOf(file)))
      .filter((file) =>
        /(?<!-)\bprocess\.|\bDate\.now\(|\bnew Date\(\)|\bconsole\./.test(codeOf(readFileSync(file, 'utf8'))),
      )
    assert.deepEqual(
      wrong.map((file) => relative(repository, file)),
      [],
    )
  })

  it('nothing is exported by star, and index.ts stands nowhere', () => {
    const wrong = sources.filter(
      (file) => file.endsWith('/index.ts') || /export \*/.test(codeOf(readFileSync(file, 'utf8'))),
    )
    assert.deepEqual(
      wrong.map((file) => relative(repository, file)),
      [],
    )
  })

  it('an error that jp throws is a JpError', () => {
    const wrong = sources.filter((file) => /throw new (?:Error|RangeError)\(/.test(codeOf(readFileSync(file, 'utf8'))))
    assert.deepEqual(
      wrong.map((file) => relative(repository, file)),
      [],
    )
  })

  it('Q1, FR-55: an argument that was not typed is not taken from stdin, as oclif would', () => {
    const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0
    const wrong = sources.filter((file) => {
      const text = readFileSync(file, 'utf8')
      return count(text, /\bArgs\.\w+\(/g) !== count(text, /\bignoreStdin: true\b/g)
    })
    assert.deepEqual(
      wrong.map((file) => relative(repository, file)),
      [],
    )
  })
})
