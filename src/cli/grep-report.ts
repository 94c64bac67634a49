import type {GrepHit} from '../conversation/grep.js'
import {rfc3339OfStored} from '../conversation/timestamp.js'
import {forTerminalLine} from '../platform/sanitise.js'
import type {GrepFinding} from './conversation-grep.js'
import type {Output} from './output.js'

/** What of a search is printed: lines with their places, ids, how many, or the lines alone. */
export const grepOutputs = ['hits', 'ids', 'count', 'text'] as const

/** How a search is printed. */
export type GrepShape = {
  readonly output: (typeof grepOutputs)[number]
  /** Hits stand below a heading; otherwise each line names its conversation. */
  readonly heading: boolean
}

/** Prints what a search found. */
export const printFindings = async (
  out: Output,
  findings: readonly GrepFinding[],
  {output, heading}: GrepShape,
): Promise<void> => {
  switch (output) {
    case 'ids': {
      const ids = findings.map(({located}) => located.id)
      return out.isJson ? out.json(ids) : out.write(ids.map((id) => `${id}\n`).join(''))
    }
    case 'count': {
      const counts = findings.map(({located, hits}) => ({id: located.id, count: hits.length}))
      return out.isJson ? out.json(counts) : out.write(counts.map(({id, count}) => `${id} ${count}\n`).join(''))
    }
    case 'text': {
      const texts = findings.flatMap(({hits}) => hits.map(({text}) => text))
      return out.isJson ? out.json(texts) : out.write(texts.map((text) => `${linesOf(text).join('\n')}\n`).join(''))
    }
    case 'hits': {
      if (out.isJson) return out.json(findings.flatMap(({title, hits}) => hits.map((hit) => jsonHit(title, hit))))
      const shown = findings.map((finding) => (heading ? underHeading(out, finding) : withoutHeading(out, finding)))
      return out.write(shown.join(heading ? '\n' : ''))
    }
  }
}

const linesOf = (text: string): string[] => text.split('\n').map(forTerminalLine)

const underHeading = ({paint}: Output, {located, title, hits}: GrepFinding): string => {
  const heading = paint('bold', `${located.id}  ${forTerminalLine(title ?? '')}`.trimEnd())
  const lines = hits.map(
    ({event, scope, text}) => `${paint('dim', `${event}:${scope}:`)} ${linesOf(text).join('\n  ')}`,
  )
  return `${[heading, ...lines].join('\n')}\n`
}

const withoutHeading = ({paint}: Output, {hits}: GrepFinding): string =>
  hits
    .flatMap(({id, event, scope, text}) =>
      linesOf(text).map((line) => `${paint('dim', `${id}:${event}:${scope}:`)} ${line}\n`),
    )
    .join('')

/** One hit as `--format json` gives it. */
const jsonHit = (title: string | undefined, {id, scope, event, timestamp, text}: GrepHit) => ({
  id,
  title: title ?? null,
  event,
  scope,
  ...(timestamp === '' ? {} : {timestamp: rfc3339OfStored(timestamp) ?? timestamp}),
  text,
})
