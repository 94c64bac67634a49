import assert from 'node:assert/strict'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {toPluginSchemas} from '../../src/protocol/host-to-plugin.js'
import {repository} from './jp.js'

/** One line of a golden transcript: who says what. `"*"` stands for any value. */
export type TranscriptLine = {readonly host: unknown} | {readonly plugin: unknown}

/** Reads `test/protocol/<name>.jsonl`, with `$NAME` replaced. */
export const readTranscript = (name: string, variables: Readonly<Record<string, string>>): TranscriptLine[] =>
  readFileSync(join(repository, 'test', 'protocol', `${name}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line.replace(/\$([A-Z]+)/g, (whole, key: string) => variables[key] ?? whole)))

/**
 * A plugin in Python that plays the plugin's side of a transcript: it sends its lines in order, hears one message for
 * each line of the host, and writes what it heard to a file.
 */
export const playerBody = (lines: readonly TranscriptLine[], heardFile: string): string => `
heard = open(${JSON.stringify(heardFile)}, "w")
for line in json.loads(${JSON.stringify(JSON.stringify(lines))}):
    if "plugin" in line:
        sys.stdout.write(json.dumps(line["plugin"]) + "\\n"); sys.stdout.flush()
    else:
        heard.write(sys.stdin.readline()); heard.flush()
`

/** Compares what the host said with the transcript, line by line, and with the schemas of the protocol. */
export const assertTranscript = (lines: readonly TranscriptLine[], heardFile: string): void => {
  const expected = lines.flatMap((line) => ('host' in line ? [line.host] : []))
  const heard = readFileSync(heardFile, 'utf8')
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line))
  for (const [index, message] of expected.entries()) {
    assert.deepEqual(masked(heard[index], message), message, `message ${index + 1} of the host`)
  }
  assert.equal(heard.length, expected.length)
  for (const message of heard) assertOfProtocol(message)
}

/** Every message of the host is one of its schemas, with no field that the reference does not have (P17). */
const assertOfProtocol = (message: unknown): void => {
  const type = isObject(message) ? message['type'] : undefined
  const [, schema] =
    Object.entries(toPluginSchemas).find(([name]) => name === type) ?? assert.fail(JSON.stringify(message))
  const read = schema.strict().safeParse(message)
  assert.ok(read.success, `${JSON.stringify(message).slice(0, 300)}: ${read.error?.message}`)
}

/** What was heard, with a star where the transcript has one. */
const masked = (value: unknown, pattern: unknown): unknown => {
  if (pattern === '*') return value === undefined ? undefined : '*'
  if (Array.isArray(value) && Array.isArray(pattern)) return value.map((item, index) => masked(item, pattern[index]))
  if (!isObject(value) || !isObject(pattern)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, masked(item, pattern[key])]))
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
