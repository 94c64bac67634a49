import {startChild} from './child-process.js'

/** Where a browser is looked for. */
export type BrowserPlace = {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
}

/** Opens a page in the user's browser; gives whether one was started. */
export const openInBrowser = async (url: string, {env, platform}: BrowserPlace): Promise<boolean> => {
  const command = env['BROWSER'] || (platform === 'darwin' ? 'open' : platform === 'win32' ? 'explorer' : 'xdg-open')
  try {
    const child = await startChild({command, args: [url], cwd: '/', env, stdin: 'ignore'})
    child.stdout.resume()
    child.stderr.resume()
    const exit = await child.exited
    return 'code' in exit && exit.code === 0
  } catch {
    return false
  }
}
