import type {Config} from '@oclif/core/config'
import type {Invocation} from './invocation.js'

/**
 * The part of oclif's Config that a command touches while it parses. Loading the real one costs more than the rest of
 * the start-up together and looks for plugins, which jp finds by itself (decision 0001).
 */
export const createOclifConfig = (invocation: Invocation): Config => {
  const part = {
    bin: 'jp',
    name: 'jp',
    dirname: 'jp',
    version: invocation.version,
    cacheDir: invocation.directories.cache,
    configDir: invocation.directories.config,
    dataDir: invocation.directories.data,
    home: invocation.environment.homeDir,
    platform: invocation.environment.platform,
    topicSeparator: ' ',
    pjson: {oclif: {}},
    plugins: new Map(),
    runHook: async () => ({successes: [], failures: []}),
    scopedEnvVar: () => undefined,
    scopedEnvVarKey: (name: string) => `JP_${name}`,
    scopedEnvVarKeys: () => [],
    scopedEnvVarTrue: () => false,
  }
  return part as unknown as Config
}
