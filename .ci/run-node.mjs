// Runs a script on the Node of the `node` devDependency: the machine's own may be too old.
import {spawn} from 'node:child_process'
import {delimiter, join} from 'node:path'
import {fileURLToPath} from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = join(root, 'node_modules', '.bin')
const node = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
const child = spawn(node, process.argv.slice(2), {
  cwd: root,
  stdio: 'inherit',
  env: {...process.env, PATH: `${bin}${delimiter}${process.env.PATH}`},
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
child.on('error', (error) => {
  process.stderr.write(`Can't start ${node}: ${error.message}\n`)
  process.exitCode = 1
})
child.on('exit', (code, signal) => {
  process.exitCode = signal === null ? code : 1
})
