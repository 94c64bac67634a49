import {JpError} from '../../errors/jp-error.js'
import type {Child, ChildExit} from '../../platform/child-process.js'
import type {Trace} from '../../platform/trace.js'
import type {ToPluginOf} from '../../protocol/host-to-plugin.js'
import type {ToHost} from '../../protocol/plugin-to-host.js'
import type {PluginLine} from '../../protocol/read-plugin-line.js'
import {readLines} from './inbox.js'
import {createLineHandler, misbehaved} from './line-handler.js'
import {createOutbox, type Outbox} from './outbox.js'
import {followStderr, type StderrLog} from './stderr-log.js'

/** Who answers what a plugin asks. */
export interface Answerer {
  /**
   * Takes one request. Settles when the next line may be handled; what comes later is sent by itself. Never rejects.
   */
  answer(message: ToHost): Promise<void>
}

/** What one run of a plugin stands on. */
export type SessionDeps = {
  readonly name: string
  readonly child: Child
  readonly init: ToPluginOf<'init'>
  /** Given the outbox, makes the one who answers. `gone` is aborted when the plugin waits for no answer any more. */
  answerer(outbox: Outbox, gone: AbortSignal): Answerer
  print(message: Extract<ToHost, {type: 'print'}>): Promise<void>
  readonly trace: Trace
  /** One line for the user on stderr. */
  notice(text: string): void
  /** Aborted when the plugin should end: it is sent `shutdown`. */
  readonly stop: AbortSignal
  /** Aborted when it should end at once: its group is killed. */
  readonly kill: AbortSignal
  /** How long it may take to end after `shutdown`. Unit: milliseconds. */
  readonly shutdownMs: number
  readLine(text: string): Promise<PluginLine | undefined>
}

/** How a plugin ended. */
export type SessionEnd =
  | {readonly kind: 'exit'; readonly code: number; readonly reason: string | undefined}
  /** It ended after `shutdown`, or was killed then, without `exit`. */
  | {readonly kind: 'stopped'}
  | {readonly kind: 'failed'; readonly error: JpError}

/** How long a plugin has between its last message, or its end, and the end of its group. Unit: milliseconds. */
const lastWordsMs = 1000
const readyMs = 10_000

/**
 * Speaks with a started plugin until it is over: sends `init`, handles its lines one after the other, and ends its group.
 * Nothing of it is left when this settles; it never rejects.
 */
export const runSession = async (deps: SessionDeps): Promise<SessionEnd> => {
  const {child} = deps
  const stderr = followStderr(child.stderr, deps.trace)
  if (child.stdin === undefined) throw new TypeError('A plugin is started with a pipe for its stdin.')
  const outbox = createOutbox(child.stdin)
  const timers = createTimers()
  const gone = new AbortController()
  const closing = watchEnds(deps, {outbox, timers, gone})
  outbox.send(deps.init)
  timers.start('ready', readyMs, () =>
    deps.notice(`The plugin "${deps.name}" has not said "ready" after 10 s; it is served all the same.`),
  )
  const end = await readUntilEnd(deps, {outbox, timers, gone: gone.signal})
  outbox.close()
  await child.endGroup(0)
  const exit = await child.exited
  child.stdout.destroy()
  child.stderr.destroy()
  await stderr.ended
  timers.stopAll()
  closing()
  return end ?? endWithoutExit(deps, exit, stderr)
}

type Timers = ReturnType<typeof createTimers>

/** The timers of one session: all of them are gone when it ends. */
const createTimers = () => {
  const running = new Map<string, NodeJS.Timeout>()
  const stop = (name: string): void => {
    clearTimeout(running.get(name))
    running.delete(name)
  }
  return {
    start(name: string, ms: number, act: () => void): void {
      stop(name)
      running.set(name, setTimeout(act, ms))
    },
    stop,
    stopAll(): void {
      for (const timer of running.values()) clearTimeout(timer)
      running.clear()
    },
  }
}

/** Ends the reading of a plugin whose time is up: its group is killed, and pipes that a stranger holds are let go. */
const cutOff = (child: Child): void => {
  child.signal('SIGKILL')
  child.stdout.destroy()
}

/** Watches for what ends a plugin from outside; gives the function that stops watching. */
const watchEnds = (
  deps: SessionDeps,
  {outbox, timers, gone}: {outbox: Outbox; timers: Timers; gone: AbortController},
): (() => void) => {
  const {child} = deps
  let open = true
  const onStop = (): void => {
    gone.abort()
    outbox.send({type: 'shutdown'})
    timers.start('shutdown', deps.shutdownMs, () => cutOff(child))
  }
  const onKill = (): void => cutOff(child)
  void child.exited.then(() => {
    gone.abort()
    if (open) timers.start('last words', lastWordsMs, () => cutOff(child))
  })
  if (deps.stop.aborted) onStop()
  deps.stop.addEventListener('abort', onStop, {once: true})
  deps.kill.addEventListener('abort', onKill, {once: true})
  return () => {
    open = false
    deps.stop.removeEventListener('abort', onStop)
    deps.kill.removeEventListener('abort', onKill)
  }
}

/** Handles lines until the plugin says `exit`, does what can't be answered, or its stdout ends (undefined). */
const readUntilEnd = async (
  deps: SessionDeps,
  {outbox, timers, gone}: {outbox: Outbox; timers: Timers; gone: AbortSignal},
): Promise<SessionEnd | undefined> => {
  const handler = createLineHandler(deps, {
    outbox,
    answerer: deps.answerer(outbox, gone),
    onReady: () => timers.stop('ready'),
  })
  let end: SessionEnd | undefined
  let told = false
  try {
    for await (const line of readLines(deps.child.stdout)) {
      if (end !== undefined) {
        if (!told) deps.trace.write('warn', 'plugin', 'output after "exit" is ignored', {plugin: deps.name})
        told = true
        continue
      }
      end = await handler.handle(line)
      if (end === undefined && !(await outbox.hasRoom())) {
        end = misbehaved(
          deps.name,
          'does not read its stdin: over 64 MiB wait for it',
          'Read every answer, or ask less at once.',
        )
      }
      if (end !== undefined) {
        if (end.kind === 'failed') outbox.send({type: 'shutdown'})
        outbox.close()
        timers.start('last words', lastWordsMs, () => cutOff(deps.child))
      }
    }
  } catch (error) {
    // The pipe was cut off by us: what the plugin said until then has been handled.
    deps.trace.write('debug', 'plugin', `stdout ended: ${String(error)}`, {plugin: deps.name})
  }
  if (end === undefined) timers.start('last words', lastWordsMs, () => cutOff(deps.child))
  await deps.child.exited
  return end
}

const endWithoutExit = (deps: SessionDeps, exit: ChildExit, stderr: StderrLog): SessionEnd => {
  if (deps.stop.aborted || deps.kill.aborted) return {kind: 'stopped'}
  const how = 'signal' in exit ? `was ended by ${exit.signal}` : `ended with code ${exit.code}`
  const lines = stderr.lastLines()
  return {
    kind: 'failed',
    error: new JpError('plugin_exited', `The plugin "${deps.name}" ${how} without saying "exit".`, {
      hint: lines.length === 0 ? 'It wrote nothing to stderr.' : `Its last words on stderr:\n${lines.join('\n')}`,
    }),
  }
}
