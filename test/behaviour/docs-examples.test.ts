import assert from 'node:assert/strict'
import {spawn} from 'node:child_process'
import {chmodSync, globSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {launcher, repository} from '../support/jp.js'
import {createScratch, type Scratch} from '../support/scratch.js'

/** One command of a page and what the page shows below it. */
type Example = {readonly command: string; readonly shown: readonly string[]}

const examplesOf = (page: string): Example[] =>
  [...page.matchAll(/^```console\n([\s\S]*?)^```$/gm)].flatMap((block) =>
    (block[1] ?? '')
      .split(/^\$ /m)
      .slice(1)
      .map((text) => {
        const [command = '', ...shown] = text.trimEnd().split('\n')
        return {command, shown}
      }),
  )

/** `…` stands for any text, also for none. */
const pattern = (line: string): RegExp => {
  const parts = line.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`)
}

/** Lines of only `…` stand for any lines. */
const matches = (lines: readonly string[], shown: readonly string[]): boolean => {
  const [first, ...rest] = shown
  if (first === undefined) return lines.length === 0
  if (first === '…') return [...lines.keys(), lines.length].some((at) => matches(lines.slice(at), rest))
  return lines.length > 0 && pattern(first).test(lines[0] ?? '') && matches(lines.slice(1), rest)
}

const marker = '=== done ==='

/** A shell that runs commands one after another, so that `cd` and `export` last. */
const openShell = (scratch: Scratch) => {
  const jp = scratch.write('bin/jp', `#!/bin/sh\nexec "${process.execPath}" "${launcher}" "$@"\n`)
  chmodSync(jp, 0o755)
  const shell = spawn('bash', ['--noprofile', '--norc'], {
    cwd: scratch.folder('work'),
    env: {...scratch.env, PATH: `${join(scratch.path, 'bin')}:${scratch.env['PATH']}`, JP_SESSION: 'docs'},
    stdio: 'pipe',
    detached: true,
  })
  let errors = ''
  shell.stderr.on('data', (bytes: Buffer) => (errors += bytes.toString()))
  const run = (command: string): Promise<{lines: string[]; errors: string}> =>
    new Promise((settle) => {
      let out = ''
      errors = ''
      const listen = (bytes: Buffer): void => {
        out += bytes.toString()
        const end = out.indexOf(`${marker}\n`)
        if (end === -1) return
        shell.stdout.off('data', listen)
        settle({lines: out.slice(0, end).split('\n').slice(0, -1), errors})
      }
      shell.stdout.on('data', listen)
      shell.stdin.write(`{ ${command}\n} < /dev/null\necho '${marker}'\n`)
    })
  return {run, close: () => shell.kill('SIGKILL')}
}

describe('documentation', () => {
  for (const file of globSync('docs/{*,how-to/*}.md', {cwd: repository}).sort()) {
    const examples = examplesOf(readFileSync(join(repository, file), 'utf8'))
    if (examples.length === 0) continue
    it(`Q10: the examples of ${file} do what the page shows`, async () => {
      const scratch = createScratch()
      const shell = openShell(scratch)
      try {
        for (const {command, shown} of examples) {
          const {lines, errors} = await shell.run(command)
          const told = `$ ${command}\nshows:\n${lines.join('\n')}\n${errors}\ninstead of:\n${shown.join('\n')}`
          assert.ok(matches(lines, shown), told)
        }
      } finally {
        shell.close()
        scratch.remove()
      }
    })
  }
})
