import * as Flags from '@oclif/core/flags'
import {ConversationCommand} from '../../src/cli/conversation-command.js'
import {type GrepFinding, grepAll} from '../../src/cli/conversation-grep.js'
import {grepPattern, grepScopes} from '../../src/conversation/grep.js'
import {rfc3339OfStored} from '../../src/conversation/timestamp.js'
import {JpError} from '../../src/errors/jp-error.js'
import {forTerminalLine} from '../../src/platform/sanitise.js'

export default class ConversationGrep extends ConversationCommand {
  static override readsOnly = true
  static override summary = 'Search what was said in conversations, tool output included.'
  static override description =
    'Reads only. A pattern is text, in any case unless it has a capital letter. Without a hit the exit code is 1.'
  static override strict = false
  static override usage = 'conversation grep PATTERN...'
  static override flags = {
    id: Flags.string({
      char: 'i',
      summary: 'Only in these. Repeatable.',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'TARGET',
    }),
    archived: Flags.boolean({summary: 'Search the archived ones instead.'}),
    'ignore-case': Flags.boolean({summary: 'In any case.'}),
    'case-sensitive': Flags.boolean({summary: 'As it is written.', exclusive: ['ignore-case']}),
    regex: Flags.boolean({char: 'r', summary: 'The pattern is a regular expression.'}),
    scope: Flags.option({
      char: 's',
      summary: 'Only in this part. Repeatable.',
      options: grepScopes,
      multiple: true,
      multipleNonGreedy: true,
    })(),
    context: Flags.integer({summary: 'Lines before and after each hit.', min: 0, default: 0, helpValue: 'N'}),
    output: Flags.option({
      summary: 'What to print.',
      options: ['hits', 'ids', 'count'] as const,
      default: 'hits' as const,
    })(),
    'max-matches': Flags.integer({char: 'm', summary: 'Stop after N hits in a conversation.', min: 1, helpValue: 'N'}),
    limit: Flags.integer({summary: 'Stop after N conversations with a hit.', min: 1, helpValue: 'N'}),
    label: Flags.string({summary: 'Only those with this label. Repeatable.', multiple: true, multipleNonGreedy: true}),
  }

  override async run(): Promise<void> {
    const {argv, flags} = await this.parse(ConversationGrep)
    const patterns = argv.map(String)
    if (patterns.length === 0) throw new JpError('usage', 'Say what to look for.')
    const query = {
      pattern: this.#pattern(patterns, flags),
      scopes: new Set(flags.scope ?? grepScopes),
      context: flags.context,
      maxMatches: flags.output === 'ids' ? 1 : flags['max-matches'],
    }
    const ids = flags.id === undefined ? undefined : new Set((await this.resolveTargets(flags.id)).map(({id}) => id))
    const all = this.store.located({archived: flags.archived})
    const chosen = ids === undefined ? all : [...all].filter(({id}) => ids.has(id))
    const {findings, passedOver} = grepAll(chosen, query, {limit: flags.limit, labels: flags.label ?? []})
    await this.#print(findings, flags.output)
    this.warnOfCorrupt(passedOver)
    if (findings.length === 0) this.endWith(1)
  }

  #pattern(
    patterns: readonly string[],
    flags: {regex: boolean; 'ignore-case': boolean; 'case-sensitive': boolean},
  ): RegExp {
    const isSmall = patterns.every((pattern) => pattern === pattern.toLowerCase())
    const ignoreCase = flags['ignore-case'] || (isSmall && !flags['case-sensitive'])
    try {
      return grepPattern(patterns, {isRegex: flags.regex, ignoreCase})
    } catch (error) {
      throw new JpError('usage', `That is no regular expression: ${patterns.join(' ')}`, {cause: error})
    }
  }

  async #print(findings: readonly GrepFinding[], output: 'hits' | 'ids' | 'count'): Promise<void> {
    const {output: out} = this
    if (output === 'ids') {
      const ids = findings.map(({located}) => located.id)
      return out.isJson ? out.json(ids) : out.write(ids.map((id) => `${id}\n`).join(''))
    }
    if (output === 'count') {
      const counts = findings.map(({located, hits}) => ({id: located.id, count: hits.length}))
      return out.isJson ? out.json(counts) : out.write(counts.map(({id, count}) => `${id} ${count}\n`).join(''))
    }
    if (out.isJson) return out.json(findings.flatMap(({title, hits}) => hits.map((hit) => jsonHit(title, hit))))
    await out.write(findings.map((finding) => this.#textOf(finding)).join('\n'))
  }

  #textOf({located, title, hits}: GrepFinding): string {
    const {paint} = this.output
    const heading = paint('bold', `${located.id}  ${forTerminalLine(title ?? '')}`.trimEnd())
    const lines = hits.map(
      ({event, scope, text}) =>
        `${paint('dim', `${event}:${scope}:`)} ${text.split('\n').map(forTerminalLine).join('\n  ')}`,
    )
    return `${[heading, ...lines].join('\n')}\n`
  }
}

/** One hit as `--format json` gives it. */
const jsonHit = (title: string | undefined, {id, scope, event, timestamp, text}: GrepFinding['hits'][number]) => ({
  id,
  title: title ?? null,
  event,
  scope,
  ...(timestamp === '' ? {} : {timestamp: rfc3339OfStored(timestamp) ?? timestamp}),
  text,
})
