import type {ConfigPlace} from '../config/layers.js'
import type {ConversationConfig, Resolution} from '../config/pipeline.js'
import type {Checkout} from '../workspace/checkout.js'
import type {Invocation} from './invocation.js'

/** Where a run acts, as far as configuration asks: an execution context, or the config-only level without a checkout. */
export type ConfigContext = {
  readonly checkout?: Checkout | undefined
  readonly silo: string | undefined
  readonly launchCwd: string
  readonly configCwd: string
}

/** Where configuration is resolved for this run. */
export const configPlace = (invocation: Invocation, context: ConfigContext): ConfigPlace => ({
  directories: invocation.directories,
  checkoutRoot: context.checkout?.root,
  configCwd: context.configCwd,
  silo: context.silo,
  env: invocation.environment.env,
})

/**
 * Resolves the configuration of this run with its `--cfg`, and says on stderr what there is to say. zod is loaded here.
 * @throws JpError as `resolveConfiguration`.
 */
export const resolveForRun = async (
  invocation: Invocation,
  context: ConfigContext,
  options: {readonly conversation?: ConversationConfig; readonly isQuiet?: boolean} = {},
): Promise<Resolution> => {
  const {conversation, isQuiet} = options
  const {resolveConfiguration} = await import('../config/pipeline.js')
  const resolution = await resolveConfiguration(configPlace(invocation, context), {
    launchCwd: context.launchCwd,
    cfg: invocation.globals.cfg,
    ...(conversation === undefined ? {} : {conversation}),
  })
  if (isQuiet !== true) for (const {text} of resolution.notices) invocation.output.warn(text)
  return resolution
}

/**
 * Notices a malformed configuration file where a command does not resolve configuration (W8): the files that apply here,
 * not what they extend. Reads syntax alone: neither the schema nor zod is loaded.
 * @throws JpError as `readLayers`.
 */
export const refuseMalformed = async (invocation: Invocation, context: ConfigContext): Promise<void> => {
  if (invocation.globals.cfg.includes('NONE')) return
  const {readLayers} = await import('../config/layers.js')
  await readLayers(configPlace(invocation, context), 'own-files')
}
