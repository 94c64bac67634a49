import {type ConfigObject, type ConfigValue, isTable} from './value.js'

const secretKey = /(?:^|[_.-])(?:api[_-]?key|key|token|secret|password|passwd|credentials?|authorization)$/i
/** These name a variable or count something; they hold no secret. */
const harmlessKey = /(?:_env|max_tokens|_secs|_ms)$/i

const hidden = '[redacted]'

/**
 * A configuration for people and logs: values of keys that are named like secrets, and passwords in URLs, are taken out
 * (W33). jp itself keeps names of variables, never keys; options of plugins and `serve.env` may hold anything.
 */
export const redactConfig = (value: ConfigValue, key = ''): ConfigValue => {
  if (isTable(value)) {
    const entries = Object.entries(value).map(([name, inner]): [string, ConfigValue] => [
      name,
      redactConfig(inner, name),
    ])
    return Object.fromEntries(entries) satisfies ConfigObject
  }
  if (Array.isArray(value)) return value.map((item) => redactConfig(item, key))
  if (typeof value !== 'string' || value === '') return value
  if (secretKey.test(key) && !harmlessKey.test(key)) return hidden
  return value.replace(/\b([a-z][a-z0-9+.-]*:\/\/[^\s/:@]*):[^\s/@]+@/gi, `$1:${hidden}@`)
}
