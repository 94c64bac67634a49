import type {Resolution} from '../config/pipeline.js'
import type {PluginPolicy} from './admission.js'

/** What the launch workspace's configuration says of one plugin (S9). */
export type PluginSettings = {
  readonly policy: PluginPolicy
  /** Handed to the plugin as they are; undefined when there are none. */
  readonly options: Readonly<Record<string, unknown>> | undefined
  /** How long it may take to end. Unit: milliseconds. */
  readonly shutdownMs: number
}

/** Reads the settings of a plugin: `plugins.command.<name>`. */
export const pluginSettings = ({config}: Pick<Resolution, 'config'>, name: string): PluginSettings => {
  const {command, shutdown_timeout_secs: seconds} = config.plugins
  const own = Object.hasOwn(command, name) ? command[name] : undefined
  const options = own?.options
  const pin = own?.checksum
  return {
    policy: {
      run: own?.run ?? 'ask',
      checksum: pin === undefined ? undefined : {algorithm: pin.algorithm ?? 'sha256', value: pin.value},
    },
    options: options === undefined || Object.keys(options).length === 0 ? undefined : options,
    shutdownMs: seconds * 1000,
  }
}
