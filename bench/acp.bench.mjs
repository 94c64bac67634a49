// D27: what an agent costs that waits behind an editor or the daemon: its start, and its memory with one idle session.
import {spawn} from 'node:child_process'
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {createInterface} from 'node:readline'
import {launcher, median} from './context.mjs'

const initialize = {jsonrpc: '2.0', id: 0, method: 'initialize', params: {protocolVersion: 1}}

const createCheckout = ({folder}) => {
  const root = join(folder, 'app')
  mkdirSync(join(root, '.jp'), {recursive: true})
  writeFileSync(join(root, '.jp', '.id'), 'benchacp'.slice(0, 5))
  writeFileSync(join(root, '.jp', 'config.toml'), '[assistant.model]\nid = "echo/echo"\n')
  return root
}

/** Starts an agent; `ask` sends a request and settles with its result. */
const startAgent = ({env, folder}) => {
  const child = spawn(process.execPath, [launcher, 'acp'], {cwd: folder, env, stdio: ['pipe', 'pipe', 'inherit']})
  const waiting = new Map()
  createInterface({input: child.stdout}).on('line', (line) => {
    const message = JSON.parse(line)
    waiting.get(message.id)?.(message.result)
  })
  return {
    child,
    ask: (message) =>
      new Promise((settle) => {
        waiting.set(message.id, settle)
        child.stdin.write(`${JSON.stringify(message)}\n`)
      }),
    end: () =>
      new Promise((settle) => {
        child.once('close', settle)
        child.stdin.end()
      }),
  }
}

const residentMb = (pid) => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

const idleMemory = async (context) => {
  const root = createCheckout(context)
  const figures = []
  for (let round = 0; round < Math.min(context.rounds, 5); round++) {
    const agent = startAgent(context)
    await agent.ask(initialize)
    const {sessionId} = await agent.ask({
      jsonrpc: '2.0',
      id: 1,
      method: 'session/new',
      params: {cwd: root, mcpServers: []},
    })
    const prompt = [{type: 'text', text: 'Hello.'}]
    await agent.ask({jsonrpc: '2.0', id: 2, method: 'session/prompt', params: {sessionId, prompt}})
    figures.push(residentMb(agent.child.pid))
    await agent.end()
  }
  const mb = median(figures)
  return {figure: mb, ok: mb <= 100, text: `${mb.toFixed(0)} MB`}
}

export const benches = [
  {
    id: 'D27',
    title: 'jp acp, start to initialize answered',
    must: 'floor + 150 ms',
    aim: 'floor + 100 ms',
    run: (context) =>
      context.overFloor(
        {args: [launcher, 'acp'], input: `${JSON.stringify(initialize)}\n`, figure: 'firstByteMs'},
        150,
      ),
  },
  {
    id: 'D27',
    title: 'jp acp, memory with one idle session that has run a prompt',
    must: '100 MB',
    aim: '90 MB',
    run: idleMemory,
  },
]
