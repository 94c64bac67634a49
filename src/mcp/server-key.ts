import {sha256OfText} from '../platform/text-digest.js'
import type {ServerRequest} from './server-settings.js'

/**
 * What tells two instances apart (S33): the server's name, the configuration it is started with, and the directory it is
 * spawned in. The values of the variables that it is given belong to its configuration: two checkouts with a token each
 * do not share one.
 */
export const serverKey = ({name, settings, spawnDir, env}: ServerRequest): string => {
  const {optional: _, startup_timeout_secs: __, ...started} = settings
  const names = [
    ...(settings.variables ?? []),
    ...(settings.bearer_token_env === undefined ? [] : [settings.bearer_token_env]),
    ...Object.values(settings.header_envs ?? {}),
  ]
  const given = ['PATH', 'HOME', ...names].sort().map((variable) => [variable, env[variable] ?? null])
  const configHash = sha256OfText(
    JSON.stringify([Object.entries(started).sort(([left], [right]) => (left < right ? -1 : 1)), given]),
  )
  return JSON.stringify([name, configHash, spawnDir])
}
