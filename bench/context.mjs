import {spawn} from 'node:child_process'
import {mkdirSync} from 'node:fs'
import {join, resolve} from 'node:path'

/** The built launcher. */
export const launcher = resolve(import.meta.dirname, '..', 'bin', 'jp.js')

/** The middle of some figures. */
export const median = (figures) => {
  const sorted = [...figures].sort((left, right) => left - right)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/**
 * What a bench works with: a folder of its own, an environment of its own, and timing of whole processes.
 * `rounds` is how often each command is run.
 */
export const createContext = ({folder, rounds, short}) => {
  const env = {HOME: join(folder, 'home'), PATH: process.env.PATH, LANG: 'C.UTF-8'}
  mkdirSync(env.HOME)

  /**
   * Runs a command to its end. Unit: milliseconds; `firstByteMs` is the time to its first byte on stdout, `text` all of it.
   * `input: 'none'` gives it no stdin at all.
   */
  const time = ({args, cwd = folder, input = '', extraEnv = {}, file = process.execPath}) =>
    new Promise((settle, reject) => {
      const start = performance.now()
      let firstByteMs = Number.NaN
      let errors = ''
      let text = ''
      const child = spawn(file, args, {cwd, env: {...env, ...extraEnv}, stdio: 'pipe', detached: true})
      child.stdin.on('error', () => undefined)
      child.stdin.end(input)
      child.stdout.on('data', (bytes) => {
        text += bytes
        if (Number.isNaN(firstByteMs)) firstByteMs = performance.now() - start
      })
      child.stderr.on('data', (bytes) => {
        errors += bytes
      })
      child.on('error', reject)
      child.on('close', (code) => {
        if (code === 0) settle({ms: performance.now() - start, firstByteMs, text})
        else reject(new Error(`${args.join(' ')} ended with ${code}: ${errors}`))
      })
    })

  /** Times commands in turn (A B A B …), so that a drifting machine drifts for all; gives the median of each. */
  const interleaved = async (commands) => {
    const figures = commands.map(() => [])
    for (const command of commands) await time(command)
    for (let round = 0; round < rounds; round++) {
      for (const [index, command] of commands.entries()) {
        figures[index].push((await time(command))[command.figure ?? 'ms'])
      }
    }
    return figures.map(median)
  }

  const floor = {args: ['-e', '0']}

  /** A command over the floor, judged: the text says the figure as a difference and as a ratio. */
  const overFloor = async (command, mustMs) => {
    const [floorMs, ms] = await interleaved([floor, command])
    const over = ms - floorMs
    const text = `floor ${floorMs.toFixed(1)} ms + ${over.toFixed(1)} ms, ${(ms / floorMs).toFixed(2)} x`
    return {figure: over, ok: over <= mustMs, text}
  }

  return {folder, env, rounds, short, time, interleaved, overFloor, floor}
}
