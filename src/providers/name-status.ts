import type {ErrorCode} from '../errors/catalogue.js'
import type {JpError} from '../errors/jp-error.js'
import type {CallContext} from './call-context.js'
import {type ProviderFailure, providerError} from './provider-error.js'
import type {ServerAnswer} from './server-answer.js'

type Verdict = Pick<ProviderFailure, 'hint' | 'transient'> & {code: ErrorCode; says: string}

/** Names a failure that the server answered with: by its status, and by the provider's own word where that tells more. */
export const nameStatus = (answer: ServerAnswer, context: CallContext): JpError => {
  const verdict = verdictOn(answer, context)
  const told = answer.message === '' ? '' : `: ${answer.message}`
  const status = answer.status === undefined ? '' : ` (${answer.status})`
  return providerError(verdict.code, {
    message: `${context.title} ${verdict.says}${status}${told}`,
    hint: verdict.hint,
    transient: verdict.transient,
    status: answer.status,
    retryAfterMs: retryAfterMs(answer),
    cause: answer.cause,
  })
}

const verdictOn = (answer: ServerAnswer, context: CallContext): Verdict => {
  const {status = 0, kind} = answer
  const key = context.connection?.key?.variable
  if (status === 401 || status === 403 || /authentication|permission_error|invalid_api_key/.test(kind)) {
    const code = 'provider_unauthorised'
    const setKey = key === undefined ? `Name its key: jp config set ${keySetting(context)}=VARIABLE` : `export ${key}=…`
    const says = key === undefined ? 'wants a key' : `refused the key in ${key}`
    if (status === 403)
      return {code, says: `does not allow ${context.model} to this key`, hint: setKey, transient: false}
    return {code, says, hint: setKey, transient: false}
  }
  if (/insufficient_quota|billing/.test(kind) || status === 402) {
    const hint = `Add credit at ${context.title}, or use another model: jp query --model <provider/name>`
    return {code: 'provider_refused', says: 'has no credit left for this key', hint, transient: false}
  }
  if (status === 429 || /rate_limit|RESOURCE_EXHAUSTED/i.test(kind)) {
    const hint = 'Wait a little and ask again, or use another model: jp query --model <provider/name>'
    return {code: 'provider_rate_limited', says: 'is asked too often', hint, transient: true}
  }
  if (status >= 500 || status === 408 || status === 409 || /overloaded|api_error|server_error|UNAVAILABLE/.test(kind)) {
    const hint = 'It is a failure of the provider. Ask again later.'
    return {code: 'provider_failed', says: 'has a failure of its own', hint, transient: true}
  }
  return refusal(answer, context)
}

const refusal = (answer: ServerAnswer, context: CallContext): Verdict => {
  const code = 'provider_refused'
  if (answer.status === 404) {
    const hint = `Another model: jp query --model ${context.connection?.provider ?? ''}/<name>. Or check the base_url.`
    return {code, says: `does not know the model ${context.model}`, hint, transient: false}
  }
  if (
    answer.status === 413 ||
    /context.{0,20}length|too long|too many tokens|maximum.{0,20}tokens/i.test(answer.message)
  ) {
    const hint = 'Make the conversation shorter: jp conversation compact'
    return {code, says: 'can not take a conversation this long', hint, transient: false}
  }
  return {code, says: 'refused the request', hint: undefined, transient: false}
}

const keySetting = (context: CallContext): string => `providers.llm.${context.connection?.provider ?? ''}.api_key_env`

/** `retry-after-ms`, then `retry-after`: seconds, or a date, which is read by the server's own clock. */
const retryAfterMs = ({headers}: {headers: ServerAnswer['headers']}): number | undefined => {
  const ms = numberIn(headers['retry-after-ms'])
  const seconds = numberIn(headers['retry-after'])
  if (ms !== undefined || seconds !== undefined) return ms ?? (seconds ?? 0) * 1000
  const wait = Date.parse(String(headers['retry-after'])) - Date.parse(String(headers['date']))
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}

const numberIn = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
  return Number.isFinite(number) && number >= 0 ? number : undefined
}
