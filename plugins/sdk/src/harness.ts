import {spawn} from 'node:child_process'
import {createInterface} from 'node:readline'
import type {Fields} from './client.js'

/** A host for tests of a plugin: it plays jp. */
export type HarnessOptions = {
  /** The program and its arguments. */
  readonly command: readonly [string, ...string[]]
  readonly args?: readonly string[]
  /** Fields of `init` over those of a workspace that does not exist. */
  readonly init?: Fields
  /** Answers a request: the fields of the answer, its `type` among them. Unanswered types get an `error`. */
  readonly answer?: (request: Fields) => Fields | undefined
}

/** What a plugin did. */
export type Conversation = {
  /** Every message of the plugin, in order. */
  readonly messages: readonly Fields[]
  /** What it printed to `content`. */
  readonly printed: string
  /** The code of its `exit`; undefined when it ended without one. */
  readonly code: number | undefined
}

/** Runs a plugin against a host that answers as the test says, until it ends. */
export const runAgainst = ({command, args = [], init = {}, answer}: HarnessOptions): Promise<Conversation> =>
  new Promise((resolve, reject) => {
    const [program, ...rest] = command
    const child = spawn(program, rest, {stdio: ['pipe', 'pipe', 'inherit']})
    const messages: Fields[] = []
    const say = (message: Fields): void => void child.stdin.write(`${JSON.stringify(message)}\n`)
    child.on('error', reject)
    child.stdin.on('error', () => undefined)
    createInterface({input: child.stdout}).on('line', (line) => {
      const message: Fields = JSON.parse(line)
      messages.push(message)
      if (message['type'] === 'exit') child.stdin.end()
      const {id} = message
      if (id === undefined) return
      const fields = answer?.(message) ?? {
        type: 'error',
        request: message['type'],
        code: 'request_unknown',
        message: 'no answer',
      }
      say({id, ...fields})
    })
    child.on('close', () => {
      const exit = messages.find((message) => message['type'] === 'exit')
      const prints = messages.filter(
        (message) => message['type'] === 'print' && (message['channel'] ?? 'content') === 'content',
      )
      resolve({
        messages,
        printed: prints.map((message) => String(message['text'])).join(''),
        code: exit === undefined ? undefined : Number(exit['code']),
      })
    })
    const workspace = {root: '/work', storage: '/work/.jp', id: 'abcde'}
    say({
      type: 'init',
      version: 12,
      workspace,
      paths: {},
      config: {},
      args,
      log_level: 0,
      output_format: 'text',
      ...init,
    })
  })
