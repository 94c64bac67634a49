// Q20 to Q23: the daemon's start, its sessions, its readers and its memory, over jp's own agent and the echo model.
import {spawn} from 'node:child_process'
import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {Agent, request} from 'node:http'
import {join} from 'node:path'
import {launcher, median} from './context.mjs'

const chunks = 2000
const readers = 20

/** Workspaces, trusted, over the echo model. */
const prepare = ({folder, env}, count) => {
  const config = join(env.HOME, '.config', 'jp')
  mkdirSync(config, {recursive: true})
  writeFileSync(join(config, 'config.toml'), '[assistant.model]\nid = "echo/echo"\n')
  const script = join(folder, 'burst.json')
  writeFileSync(script, JSON.stringify([{text: 'c{n} ', repeat: chunks}]))
  const workspaces = Array.from({length: count}, (_, at) => {
    const root = join(folder, `workspace-${at}`)
    mkdirSync(join(root, '.jp'), {recursive: true})
    writeFileSync(join(root, '.jp', '.id'), `bench${at}\n`.slice(-6))
    return root
  })
  return {workspaces, script}
}

/** Starts a daemon; gives it with the time to its line on stdout. Unit: milliseconds. */
const start = ({folder, env}, workspaces, extraEnv = {}) =>
  new Promise((resolve, reject) => {
    const begin = performance.now()
    const child = spawn(
      process.execPath,
      [launcher, 'serve', '--port', '0', '--no-auth', ...workspaces.flatMap((root) => ['-w', root])],
      {
        cwd: folder,
        env: {...env, JP_TRUST_WORKSPACE: '1', ...extraEnv},
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      },
    )
    let errors = ''
    child.stderr.on('data', (bytes) => {
      errors += bytes
    })
    const ended = new Promise((done) => child.on('exit', done))
    void ended.then((code) => reject(new Error(`jp serve ended with ${code}: ${errors}`)))
    child.stdout.once('data', (bytes) => {
      const ms = performance.now() - begin
      const port = Number(new URL(/http:\/\/\S+/.exec(String(bytes))[0]).port)
      const stop = async () => {
        child.kill('SIGTERM')
        await ended
      }
      resolve({ms, port, pid: child.pid, stop})
    })
  })

const keepAlive = new Agent({keepAlive: true})

/** One request; gives its JSON and its time. Unit: milliseconds. */
const ask = (port, method, path, body) =>
  new Promise((resolve, reject) => {
    const begin = performance.now()
    const text = body === undefined ? undefined : JSON.stringify(body)
    const headers =
      text === undefined ? {} : {'content-type': 'application/json', 'content-length': Buffer.byteLength(text)}
    const call = request({host: '127.0.0.1', port, method, path, headers, agent: keepAlive}, (response) => {
      let answer = ''
      response.on('data', (part) => {
        answer += part
      })
      response.on('end', () => {
        if (response.statusCode >= 300) reject(new Error(`${method} ${path}: ${response.statusCode} ${answer}`))
        else resolve({ms: performance.now() - begin, body: answer === '' ? {} : JSON.parse(answer)})
      })
    })
    call.on('error', reject)
    call.end(text)
  })

const create = (port, cwd) => ask(port, 'POST', '/session', {cwd, sessionScope: 'thread'})

/** Reads a session's events; `done` settles at the end of the turn with the text that arrived. */
const read = (port, session) =>
  new Promise((resolve, reject) => {
    const call = request({host: '127.0.0.1', port, path: `/session/${session}/events`, agent: false}, (response) => {
      const done = new Promise((settle, fail) => {
        let rest = ''
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (part) => {
          rest += part
          const frames = rest.split('\n\n')
          rest = frames.pop()
          for (const frame of frames) {
            const at = frame.indexOf('data: ')
            if (at === -1) continue
            const {type, data} = JSON.parse(frame.slice(at + 6))
            if (data.update?.sessionUpdate === 'agent_message_chunk') text += data.update.content.text
            if (type === 'turn_complete') settle(text)
          }
        })
        response.on('close', () => fail(new Error('the stream ended before its turn')))
      })
      done.catch(() => undefined)
      resolve({done, cut: () => call.destroy()})
    })
    call.on('error', reject)
    call.end()
  })

const childrenOf = (pid) => {
  const parents = new Map()
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))
    } catch {
      // It ended meanwhile.
    }
  }
  const below = (parent) =>
    [...parents].filter(([, of]) => of === parent).flatMap(([child]) => [child, ...below(child)])
  return below(pid)
}

const residentMb = (pid) => {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024
  } catch {
    return 0
  }
}

const bootBench = async (context) => {
  const {workspaces} = prepare(context, 3)
  const floors = []
  const boots = []
  for (let round = 0; round < Math.min(context.rounds, 11) + 1; round++) {
    floors.push((await context.time(context.floor)).ms)
    const daemon = await start(context, workspaces)
    boots.push(daemon.ms)
    await daemon.stop()
  }
  const [floorMs, ms] = [median(floors.slice(1)), median(boots.slice(1))]
  const over = ms - floorMs
  const text = `floor ${floorMs.toFixed(1)} ms + ${over.toFixed(1)} ms, ${(ms / floorMs).toFixed(2)} x`
  return {figure: over, ok: over <= 150, text}
}

const createBench = async (context) => {
  const {workspaces} = prepare(context, 3)
  const first = []
  const next = []
  // Once for nothing: from then on compiled code is in the cache, as it is for everybody after the first start.
  const warmUp = await start(context, workspaces)
  await create(warmUp.port, workspaces[0])
  await warmUp.stop()
  for (let round = 0; round < (context.short ? 1 : 4); round++) {
    const daemon = await start(context, workspaces)
    // A client comes some time after the start; what a session needs is loaded by then.
    await new Promise((resolve) => setTimeout(resolve, 2000))
    for (const cwd of workspaces) {
      first.push((await create(daemon.port, cwd)).ms)
      for (let more = 0; more < 5; more++) next.push((await create(daemon.port, cwd)).ms)
    }
    await daemon.stop()
  }
  const [firstMs, nextMs] = [median(first), median(next)]
  const text = `${firstMs.toFixed(0)} ms first, ${nextMs.toFixed(1)} ms the next ones`
  return {figure: [firstMs, nextMs], ok: firstMs <= 500 && nextMs <= 15, text}
}

const burstBench = async (context) => {
  const {workspaces, script} = prepare(context, 2)
  const times = []
  for (let round = 0; round < (context.short ? 2 : 5); round++) {
    const daemon = await start(context, workspaces, {JP_ECHO_SCRIPT: script})
    const {sessionId} = (await create(daemon.port, workspaces[1])).body
    const streams = await Promise.all(Array.from({length: readers}, () => read(daemon.port, sessionId)))
    const begin = performance.now()
    await ask(daemon.port, 'POST', `/session/${sessionId}/prompt`, {prompt: [{type: 'text', text: 'go'}]})
    const texts = await Promise.all(streams.map(({done}) => done))
    times.push(performance.now() - begin)
    const lost = texts.filter((text) => (text.match(/c\d+ /g) ?? []).length !== chunks).length
    if (lost > 0) throw new Error(`${lost} of ${readers} readers lost something`)
    for (const stream of streams) stream.cut()
    await daemon.stop()
  }
  const ms = median(times)
  return {figure: ms, ok: ms <= 1000, text: `${ms.toFixed(0)} ms, ${chunks * readers} chunks, none lost`}
}

const memoryBench = async (context) => {
  const {workspaces} = prepare(context, 3)
  const daemon = await start(context, workspaces)
  for (let at = 0; at < 30; at++) await create(daemon.port, workspaces[at % 3])
  const parts = [daemon.pid, ...childrenOf(daemon.pid)].map(residentMb)
  await daemon.stop()
  const total = parts.reduce((sum, part) => sum + part, 0)
  const text = `${total.toFixed(0)} MB: ${parts.map((part) => part.toFixed(0)).join(' + ')}`
  return {figure: total, ok: total <= 400, text}
}

export const benches = [
  {
    id: 'Q20',
    title: 'jp serve, to listening',
    must: 'floor + 150 ms',
    aim: 'floor + 90 ms',
    run: bootBench,
  },
  {
    id: 'Q21',
    title: 'POST /session, first of a workspace / next ones',
    must: '500 ms / 15 ms',
    aim: '250 ms / 5 ms',
    run: createBench,
  },
  {
    id: 'Q22',
    title: '2,000 chunks back to back to 20 readers',
    must: '1 s',
    aim: '0.4 s',
    run: burstBench,
  },
  {
    id: 'Q23',
    title: 'memory, 3 workspaces, 30 idle sessions, children included',
    must: '400 MB',
    aim: '250 MB',
    run: memoryBench,
  },
]
