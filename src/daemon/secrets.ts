import {isInside} from '../platform/contained-path.js'
import {createRedactor, type Redact} from '../platform/redact.js'
import type {Variables} from './environment.js'

/** What must not leave the daemon (D26, W33), as far as it knows by now. */
export interface Secrets {
  /** Takes every known secret out of a text. */
  readonly redact: Redact
  /** These values are some workspace's own, whatever they are named. */
  learn(values: Readonly<Record<string, string>>): void
}

/** Creates the secrets of one daemon: those of its base environment, and its token. */
export const createSecrets = (base: Variables, token: string | undefined): Secrets => {
  const known = new Map<string, string>(token === undefined ? [] : [[token, 'the token']])
  let redact = createRedactor(base, named(known))
  return {
    redact: (text) => redact(text),
    learn(values) {
      const sizeBefore = known.size
      for (const [name, value] of Object.entries(values)) known.set(value, name)
      if (known.size > sizeBefore) redact = createRedactor(base, named(known))
    },
  }
}

/** Several workspaces may give one name different values: each is kept. */
const named = (known: ReadonlyMap<string, string>): Record<string, string> =>
  Object.fromEntries([...known].map(([value, name], index) => [known.size === 1 ? name : `${name} (${index})`, value]))

/**
 * A text of an agent as clients may read it: no secret, no stack, and no path but those below what `/capabilities`
 * publishes (D26).
 */
export const tellableText = (text: string, redact: Redact, roots: readonly string[]): string =>
  redact(withoutStack(text)).replace(/(?<![\w.:/])\/(?:[^\s/'"`:;,)\]}]+\/)*[^\s/'"`:;,)\]}]+/g, (path) =>
    roots.some((root) => isInside(root, path)) ? path : '[path]',
  )

const withoutStack = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !/^\s+at /.test(line))
    .join('\n')
