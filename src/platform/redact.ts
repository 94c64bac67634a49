/** Takes secret values out of a text (W33). */
export type Redact = (text: string) => string

const secretName = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL)S?$/i

/** A shorter value is too likely to be an ordinary word. Unit: UTF-16 code units. */
const minSecretUnits = 8

/**
 * Creates a redactor for the values of every variable that is named like a secret, and for `more`. A value is replaced
 * by the name it has: `[redacted ANTHROPIC_API_KEY]`.
 */
export const createRedactor = (
  env: Readonly<Record<string, string | undefined>>,
  more: Readonly<Record<string, string>> = {},
): Redact => {
  const secrets = [...Object.entries(env).filter(([name]) => secretName.test(name)), ...Object.entries(more)]
    .filter((entry): entry is [string, string] => (entry[1]?.length ?? 0) >= minSecretUnits)
    // The longest first: one secret may contain another.
    .sort((left, right) => right[1].length - left[1].length)
  return (text) => secrets.reduce((redacted, [name, value]) => redacted.replaceAll(value, `[redacted ${name}]`), text)
}
