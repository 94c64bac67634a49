import type {Jp} from './client.js'

/** Where the runner leaves its connection for the command classes that it hosts. */
export const connectionKey = Symbol.for('jp.plugin.connection')

/** The connection of this process. @throws Error when it was not started by jp. */
export const connection = (): Jp => {
  const jp: unknown = Reflect.get(globalThis, connectionKey)
  if (jp === undefined) throw new Error('This is a plugin of jp: install it and run it with jp.')
  return jp as Jp
}
