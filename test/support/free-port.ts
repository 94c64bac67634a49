import {once} from 'node:events'
import {createServer} from 'node:net'

/**
 * A port of loopback that nobody has, for a server that is started on it more than once. It lies below those that the
 * system hands out, so that no other test is given it in between.
 */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000)
    const holder = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      holder.once('error', () => resolve(false))
      holder.listen(port, '127.0.0.1', () => resolve(true))
    })
    if (!isFree) continue
    holder.close()
    await once(holder, 'close')
    return port
  }
}
