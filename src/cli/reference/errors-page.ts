import {catalogue, type ErrorCode} from '../../errors/catalogue.js'
import {exitCodeFor} from '../exit-codes.js'
import {helpTopics} from '../help-topics.js'

/** The reference page of exit codes and error codes, in Markdown. */
export const renderErrors = (): string => {
  const codes = Object.keys(catalogue).sort() as ErrorCode[]
  const exitCodes = helpTopics.find((topic) => topic.name === 'exit-codes')?.text() ?? ''
  return [
    '# Errors',
    '',
    'With `--format json` an error is one JSON object on stderr: `{ "code", "message", "hint"?, "exit_code" }` and the fields',
    'of its subject. `code` is the contract; messages and hints may improve any day.',
    '',
    '```text',
    exitCodes,
    '```',
    '',
    '| code | exit code |',
    '| --- | --- |',
    ...codes.map((code) => `| \`${code}\` | ${exitCodeFor(code)} |`),
  ].join('\n')
}
