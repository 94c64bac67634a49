/**
 * A word as a shell reads it back: plain when it needs no quotes, else in single quotes, with control characters spelled
 * out (`$'…'`). For commands that jp prints to be pasted.
 */
export const quoteForShell = (word: string): string => {
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(word)) return word
  if (!hidden.test(word)) return `'${word.replaceAll("'", "'\\''")}'`
  const spelled = word.replace(/[\\']/g, '\\$&').replace(new RegExp(hidden, 'gu'), (character) => {
    const code = character.codePointAt(0) ?? 0
    return code < 128 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\U${code.toString(16).padStart(8, '0')}`
  })
  return `$'${spelled}'`
}

/** What a terminal would act on or not show. */
const hidden = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u
