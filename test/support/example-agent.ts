// A second ACP agent for the daemon's tests: it shares no code with jp. Started as a process; speaks ACP over stdio.
// Words of a prompt choose what it does (the same as the loopback model server's):
//   [[chunks:N:MS]]   N text chunks "c<i> ", MS milliseconds apart; back to back without MS
//   [[slow:MS]]       one chunk, then nothing for so long; can be cancelled
//   [[tool:shell X]]  asks for permission, then runs nothing and says so
//   [[env]]           its environment as JSON
//   [[error]]         the turn fails
//   [[die]]           the process kills itself in the middle of a turn
//   [[late]]          answers a cancel with end_turn, as if it had been done already
//   [[deaf]]          never answers a cancel
// Flags: --no-load, --no-resume, --store DIR (transcripts, to be loaded by another process), --fail-new N (every n-th
// session/new fails, counted in --store), --held-load FILE (a load waits for it), --fail-start N (every n-th process ends at once),
// --banner (a stray line), --mute METHOD (never answers it), --fail-mode (no mode can be set), --count-ids (every process
// counts its sessions from one), --fork (it can copy sessions).
import {randomUUID} from 'node:crypto'
import {appendFileSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {createInterface} from 'node:readline'

type Message = {
  readonly id?: number
  readonly method?: string
  readonly params?: Record<string, unknown>
  readonly result?: unknown
}

const flag = (name: string): string | undefined => {
  const at = process.argv.indexOf(name)
  return at === -1 ? undefined : (process.argv[at + 1] ?? '')
}
const store = flag('--store')
if (store !== undefined) mkdirSync(store, {recursive: true})

/** Counts over all processes that share a store. */
const count = (name: string): number => {
  const file = join(store ?? '.', `${name}.count`)
  appendFileSync(file, '.')
  return readFileSync(file, 'utf8').length
}
if (store !== undefined) appendFileSync(join(store, 'pids'), `${process.pid} ${process.cwd()}\n`)
const failStart = Number(flag('--fail-start') ?? 0)
if (failStart > 0 && count('start') % failStart === 0) process.exit(3)
const failNew = Number(flag('--fail-new') ?? 0)

let nextId = 0
const waiting = new Map<number, (result: unknown) => void>()
const cancelled = new Set<string>()
const wake = new Map<string, () => void>()

const send = (message: object): void => void process.stdout.write(`${JSON.stringify({jsonrpc: '2.0', ...message})}\n`)
const ask = (method: string, params: object): Promise<unknown> =>
  new Promise((resolve) => {
    waiting.set(nextId, resolve)
    send({id: nextId++, method, params})
  })
const update = (sessionId: string, fields: object): void =>
  send({method: 'session/update', params: {sessionId, update: fields}})
const say = (sessionId: string, text: string): void => {
  remember(sessionId, {role: 'agent', text})
  update(sessionId, {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text}})
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

type Line = {readonly role: 'user' | 'agent'; readonly text: string}
const transcriptOf = (sessionId: string): string => join(store ?? '.', `${sessionId}.jsonl`)
const remember = (sessionId: string, line: Line): void => {
  if (store !== undefined) appendFileSync(transcriptOf(sessionId), `${JSON.stringify(line)}\n`)
}

const pause = (sessionId: string, ms: number): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    wake.set(sessionId, () => {
      clearTimeout(timer)
      resolve()
    })
  })

const prompt = async (sessionId: string, text: string): Promise<{stopReason: string}> => {
  cancelled.delete(sessionId)
  remember(sessionId, {role: 'user', text})
  const chunks = /\[\[chunks:(\d+)(?::(\d+))?\]\]/.exec(text)
  const slow = /\[\[slow:(\d+)\]\]/.exec(text)
  const tool = /\[\[tool:shell ([^\]]+)\]\]/.exec(text)
  if (text.includes('[[die]]')) {
    say(sessionId, 'dying')
    await pause(sessionId, 20)
    process.kill(process.pid, 'SIGKILL')
  }
  if (text.includes('[[error]]'))
    throw new Error(`it broke in ${process.cwd()}/x and /etc/secret-place, ${process.env['CANARY_A'] ?? ''}`)
  if (chunks !== null) {
    for (let at = 0; at < Number(chunks[1]) && !cancelled.has(sessionId); at++) {
      say(sessionId, `c${at} `)
      if (chunks[2] !== undefined) await pause(sessionId, Number(chunks[2]))
    }
  } else if (slow !== null) {
    say(sessionId, 'started ')
    await pause(sessionId, Number(slow[1]))
  } else if (text.includes('[[late]]')) {
    await pause(sessionId, 60_000)
    return {stopReason: 'end_turn'}
  } else if (text.includes('[[deaf]]')) {
    await new Promise(() => setInterval(() => undefined, 60_000))
  } else if (tool !== null) await runTool(sessionId, tool[1] ?? '')
  else if (text.includes('[[env]]')) say(sessionId, JSON.stringify(process.env))
  else say(sessionId, `ok: ${text}`)
  return {stopReason: cancelled.has(sessionId) ? 'cancelled' : 'end_turn'}
}

const runTool = async (sessionId: string, command: string): Promise<void> => {
  const toolCallId = randomUUID()
  const toolCall = {toolCallId, title: command, kind: 'execute', status: 'pending', rawInput: {command}}
  update(sessionId, {sessionUpdate: 'tool_call', ...toolCall})
  const options = [
    {optionId: 'proceed_always', name: 'Always allow', kind: 'allow_always'},
    {optionId: 'proceed_once', name: 'Allow', kind: 'allow_once'},
    {optionId: 'cancel', name: 'Reject', kind: 'reject_once'},
  ]
  const answer = (await ask('session/request_permission', {sessionId, toolCall, options})) as {
    readonly outcome: {readonly outcome: string; readonly optionId?: string}
  }
  const allowed = answer.outcome.optionId?.startsWith('proceed') === true
  if (allowed && store !== undefined) appendFileSync(join(store, 'ran'), `${command}\n`)
  update(sessionId, {sessionUpdate: 'tool_call_update', toolCallId, status: allowed ? 'completed' : 'failed'})
  if (answer.outcome.outcome !== 'cancelled') say(sessionId, allowed ? 'tool finished' : 'tool refused')
}

const restore = (sessionId: string, replays: boolean): object => {
  if (!existsSync(transcriptOf(sessionId))) throw new Error('no such session')
  const lines = readFileSync(transcriptOf(sessionId), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
  for (const line of replays ? lines : []) {
    const {role, text} = JSON.parse(line) as Line
    update(sessionId, {sessionUpdate: `${role}_message_chunk`, content: {type: 'text', text}})
  }
  return {}
}

let made = 0
const newId = (): string =>
  process.argv.includes('--count-ids') ? `00000000-0000-4000-8000-${String(++made).padStart(12, '0')}` : randomUUID()

const handle = async (method: string, params: Record<string, unknown>): Promise<unknown> => {
  const sessionId = textOf(params['sessionId'])
  if (flag('--mute') === method) return new Promise(() => undefined)
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: 1,
        agentInfo: {name: 'example', version: '1'},
        agentCapabilities: {
          loadSession: !process.argv.includes('--no-load'),
          sessionCapabilities: {
            ...(process.argv.includes('--no-resume') ? {} : {resume: {}}),
            ...(process.argv.includes('--fork') ? {fork: {}} : {}),
          },
        },
      }
    case 'session/new': {
      if (failNew > 0 && count('new') % failNew === 0)
        throw new Error(`no session today in /etc/secret-place, ${process.env['CANARY_A'] ?? ''}`)
      const id = newId()
      if (store !== undefined) writeFileSync(transcriptOf(id), '')
      queueMicrotask(() =>
        update(id, {sessionUpdate: 'available_commands_update', availableCommands: [{name: 'plan', description: ''}]}),
      )
      return {
        sessionId: id,
        modes: {
          currentModeId: 'ask',
          availableModes: [
            {id: 'ask', name: 'Ask'},
            {id: 'yolo', name: 'Yolo'},
          ],
        },
      }
    }
    case 'session/load':
      for (const held = flag('--held-load'); held !== undefined && !existsSync(held); ) await pause(sessionId, 5)
      return restore(sessionId, true)
    case 'session/resume':
      return restore(sessionId, false)
    case 'session/fork': {
      const id = newId()
      copyFileSync(transcriptOf(sessionId), transcriptOf(id))
      return {sessionId: id}
    }
    case 'session/set_mode':
      if (process.argv.includes('--fail-mode')) throw new Error('no mode today')
      return {}
    case 'session/prompt': {
      const blocks = params['prompt'] as readonly {readonly text?: string}[]
      return prompt(sessionId, blocks.map(({text}) => text ?? '').join(''))
    }
    default:
      throw new Error(`no method ${method}`)
  }
}

const take = async ({id, method, params = {}, result}: Message): Promise<void> => {
  if (method === undefined) {
    waiting.get(id ?? -1)?.(result)
    waiting.delete(id ?? -1)
  } else if (id === undefined) {
    const sessionId = textOf(params['sessionId'])
    if (method === 'session/cancel') {
      cancelled.add(sessionId)
      wake.get(sessionId)?.()
    }
  } else {
    try {
      send({id, result: await handle(method, params)})
    } catch (error) {
      send({id, error: {code: -32603, message: 'Internal error', data: {details: (error as Error).message}}})
    }
  }
}

if (process.argv.includes('--banner')) process.stdout.write('Starting example agent…\n')
createInterface({input: process.stdin})
  .on('line', (line) => void take(JSON.parse(line) as Message))
  .on('close', () => process.exit(0))
