/** How often to look whether the launcher still lives. Unit: milliseconds. */
const intervalMs = 200

/**
 * Under a launcher (`bin/hand-over.js`) jp ends when the launcher dies, also by `SIGKILL`: it sends itself SIGTERM, so
 * that a turn keeps what it has (Q28). The variable is taken out, so that children of jp do not watch a stranger.
 * @returns true when there is a launcher.
 */
export const watchLauncher = (): boolean => {
  const launcher = Number(process.env['JP_LAUNCHER_PID'])
  delete process.env['JP_LAUNCHER_PID']
  if (!Number.isInteger(launcher) || launcher <= 1) return false
  const timer = setInterval(() => {
    if (process.ppid === launcher) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, intervalMs)
  timer.unref()
  return true
}
