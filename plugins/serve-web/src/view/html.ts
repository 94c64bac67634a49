/** HTML that may be sent: made by `html` alone, or sanitised. */
export type Html = {readonly markup: string}

type Part = string | number | Html | undefined | false | readonly (Html | undefined)[]

const escapes: Readonly<Record<string, string>> = {'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;'}

/** Text for HTML, in an element or a quoted attribute. */
export const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? '')

const toMarkup = (part: Part): string => {
  if (part === undefined || part === false) return ''
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part))
  return 'markup' in part ? part.markup : part.map(toMarkup).join('')
}

/** A template of HTML: what stands in it is escaped unless it is HTML itself. */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  markup: texts.map((text, index) => text + toMarkup(parts[index])).join(''),
})
