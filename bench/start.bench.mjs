// Q11, Q12, Q18: how long jp takes to start and to its first byte, over `node -e 0` of the same Node.
import {createHash} from 'node:crypto'
import {mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {launcher} from './context.mjs'

/** 20 workspaces of three checkouts each, as runs of jp would have registered them. */
const registerSixtyRoots = ({folder, env}) => {
  for (let workspace = 0; workspace < 20; workspace++) {
    const id = `b${String(workspace).padStart(4, '0')}`
    const registry = join(env.HOME, '.local', 'share', 'jp', 'workspace', `project-${workspace}-${id}`, 'roots')
    mkdirSync(registry, {recursive: true})
    for (let checkout = 0; checkout < 3; checkout++) {
      const root = join(folder, 'src', `project-${workspace}-${checkout}`)
      mkdirSync(join(root, '.jp'), {recursive: true})
      writeFileSync(join(root, '.jp', '.id'), `${id}\n`)
      const key = createHash('sha256').update(root).digest('hex').slice(0, 16)
      const used = new Date(Date.UTC(2026, 0, 1 + workspace, checkout)).toISOString()
      writeFileSync(join(registry, `${key}.json`), JSON.stringify({path: root, last_used: used}))
    }
  }
}

export const benches = [
  {
    id: 'Q11',
    title: 'jp --version',
    must: 'floor + 20 ms',
    aim: 'floor + 8 ms',
    run: (context) => context.overFloor({args: [launcher, '--version']}, 20),
  },
  {
    id: 'Q12',
    title: 'jp w ls, 20 workspaces x 3 checkouts',
    must: 'floor + 60 ms',
    aim: 'floor + 45 ms',
    run: (context) => {
      registerSixtyRoots(context)
      return context.overFloor({args: [launcher, 'workspace', 'ls']}, 60)
    },
  },
  {
    id: 'Q18',
    title: 'jp query with echo, first byte',
    must: 'floor + 120 ms',
    aim: 'floor + 80 ms',
    run: (context) => {
      const root = join(context.folder, 'app')
      mkdirSync(join(root, '.jp'), {recursive: true})
      writeFileSync(join(root, '.jp', '.id'), 'bench\n')
      const args = [launcher, 'query', '--new', '--model', 'echo/echo', 'hello']
      return context.overFloor({args, cwd: root, figure: 'firstByteMs'}, 120)
    },
  },
]
