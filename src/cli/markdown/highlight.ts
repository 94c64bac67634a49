import type {HLJSApi} from 'highlight.js'
import type {Paint, Style} from '../paint.js'

const styles: Readonly<Record<string, Style>> = {
  keyword: 'magenta',
  built_in: 'cyan',
  type: 'cyan',
  literal: 'yellow',
  number: 'yellow',
  string: 'green',
  regexp: 'green',
  addition: 'green',
  deletion: 'red',
  comment: 'dim',
  quote: 'dim',
  meta: 'dim',
  title: 'cyan',
  section: 'bold',
  name: 'magenta',
  selector: 'magenta',
  attr: 'cyan',
  symbol: 'yellow',
}

const entities: Readonly<Record<string, string>> = {lt: '<', gt: '>', amp: '&', quot: '"', '#x27': "'"}

/** Colours code line by line by its language; code of a language that is not known stays as it is. */
export const highlight = (code: string, language: string, {hljs, paint}: {hljs: HLJSApi; paint: Paint}): string => {
  if (hljs.getLanguage(language) === undefined) return code
  const html = hljs.highlight(code, {language, ignoreIllegals: true}).value
  const open: (Style | undefined)[] = []
  let out = ''
  for (const [piece, name, text] of html.matchAll(/<span class="hljs-([\w-]+)[^"]*">|<\/span>|([^<]+)/g)) {
    if (text !== undefined) out += painted(decoded(text), open.at(-1), paint)
    else if (piece === '</span>') open.pop()
    else open.push(styles[name?.split('-')[0] ?? ''] ?? open.at(-1))
  }
  return out
}

/** Each line on its own: a style that runs over a line end would colour the margin of the next one. */
const painted = (text: string, style: Style | undefined, paint: Paint): string =>
  style === undefined
    ? text
    : text
        .split('\n')
        .map((line) => (line === '' ? '' : paint(style, line)))
        .join('\n')

const decoded = (text: string): string =>
  text.replaceAll(/&(lt|gt|amp|quot|#x27);/g, (whole, name: string) => entities[name] ?? whole)
