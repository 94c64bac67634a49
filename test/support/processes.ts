import {readdirSync} from 'node:fs'
import {procStat} from '../../src/platform/processes.js'

/** True while a process with this id exists. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** As {@link isAlive}, but one that has ended and that nobody has waited for (a container's init may not) does not count. */
export const isRunning = (pid: number): boolean => isAlive(pid) && procStat(pid)?.[0] !== 'Z'

/** Settles when the condition holds; rejects with what is awaited when it does not in time. */
export const until = async (
  condition: () => boolean | Promise<boolean>,
  what: string,
  timeoutMs = 30_000,
): Promise<void> => {
  const deadline = performance.now() + timeoutMs
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`not in time: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** The processes that run below a process now, at any depth. */
export const descendantsOf = (pid: number): readonly number[] => {
  const running = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({id: Number(name), parent: Number(procStat(Number(name))?.[1])}))
  const below = (parent: number): readonly number[] =>
    running.filter((one) => one.parent === parent).flatMap(({id}) => [id, ...below(id)])
  return below(pid)
}
