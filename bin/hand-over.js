// Started by a Node that is too old: hands over to the Node of the `node` package when it is installed beside jp, and
// says which version is needed when it is not. Signals, the exit code and death by signal are passed on; jp ends by
// itself when this process is killed (it watches JP_LAUNCHER_PID).
'use strict'

const needed = '22.22.2'
const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2', 'SIGWINCH']

const findNode = () => {
  const path = require('node:path')
  const name = process.platform === 'win32' ? 'node.exe' : 'node'
  try {
    const folder = path.dirname(require.resolve('node/package.json', {paths: [path.join(__dirname, '..')]}))
    const file = path.join(folder, 'bin', name)
    require('node:fs').accessSync(file)
    return file
  } catch {
    return undefined
  }
}

exports.handOver = () => {
  const node = findNode()
  if (node === undefined) {
    process.stderr.write(`jp needs Node ${needed} or newer; this is Node ${process.versions.node}.\n`)
    process.exitCode = 1
    return
  }
  const child = require('node:child_process').spawn(
    node,
    [require('node:path').join(__dirname, 'jp.js'), ...process.argv.slice(2)],
    {
      stdio: 'inherit',
      env: {...process.env, JP_LAUNCHER_PID: String(process.pid)},
    },
  )
  for (const signal of forwarded) {
    process.on(signal, () => {
      child.kill(signal)
    })
  }
  child.on('error', (error) => {
    process.stderr.write(`jp can't start ${node}: ${error.message}\n`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    if (signal === null) {
      process.exit(code)
    }
    for (const name of forwarded) process.removeAllListeners(name)
    process.kill(process.pid, signal)
  })
}
