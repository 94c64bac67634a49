/** Made by the build from the files of `commands/` (`.ci/build.mjs`). */
declare module 'jp:commands' {
  import type {Config} from '@oclif/core/config'
  import type {Invocation} from './invocation.js'

  /** A command class: it runs by itself. */
  export type Runnable = {execute(argv: readonly string[], config: Config, invocation: Invocation): Promise<void>}

  /** What loads the one module of a command, by its id. */
  export const commandModules: Readonly<Record<string, () => Promise<{readonly default: Runnable}>>>
}
