// Makes stores of conversations for measuring: what a year of work looks like, in the shapes that jp writes.
import {mkdirSync, utimesSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'

const base64 = (text) => Buffer.from(text, 'utf8').toString('base64')
const words =
  'the store keeps every event of a conversation in a file that only grows and reads it again at once'.split(' ')
const prose = (seed, length) =>
  Array.from({length}, (_, index) => words[(seed * 7 + index * 3) % words.length]).join(' ')

/** Ten events: a turn with two tool calls. */
export const tenEvents = (number) => {
  const at = (second) => `2026-09-01 08:00:${String(second).padStart(2, '0')}.${(number % 9) + 1}`
  return [
    {timestamp: at(0), type: 'turn_start'},
    {timestamp: at(0), type: 'chat_request', content: `Question ${number}: ${prose(number, 20)}`},
    {timestamp: at(1), type: 'chat_response', reasoning: prose(number + 1, 30)},
    {
      timestamp: at(2),
      type: 'tool_call_request',
      id: 'a',
      name: 'fs_read_file',
      arguments: {path: base64(`src/file-${number}.ts`)},
    },
    {timestamp: at(2), type: 'tool_call_response', id: 'a', content: base64(prose(number + 2, 60)), is_error: false},
    {
      timestamp: at(3),
      type: 'tool_call_request',
      id: 'b',
      name: 'fs_grep_files',
      arguments: {pattern: base64('needle')},
    },
    {
      timestamp: at(3),
      type: 'tool_call_response',
      id: 'b',
      content: base64(`${prose(number + 3, 40)}\n${number % 1000 === 7 ? 'a rare haystack' : ''}`),
      is_error: false,
    },
    {timestamp: at(4), type: 'chat_response', message: prose(number + 4, 60)},
    {timestamp: at(5), type: 'config_delta', delta: {assistant: {model: {id: 'echo/echo'}}}},
    {timestamp: at(6), type: 'chat_response', message: 'Done.'},
  ]
}

const pretty = (value) => `${JSON.stringify(value, undefined, 2)}\n`

const writeCopy = (shelf, name, files) => {
  const directory = join(shelf, name)
  mkdirSync(directory, {recursive: true})
  for (const [file, text] of Object.entries(files)) writeFileSync(join(directory, file), text)
  return directory
}

/**
 * A workspace of `count` conversations below `folder`: in the user-local store, and unless `isLocal` in the checkout too,
 * as jp leaves them. Gives what a run needs.
 */
export const makeStore = (folder, count, {isLocal = false} = {}) => {
  const name = `${isLocal ? 'local' : 'app'}-${count}`
  const root = join(folder, name)
  const home = join(folder, `home-${name}`)
  const silo = join(home, '.local', 'share', 'jp', 'workspace', `${name}-a1b2c`)
  mkdirSync(join(root, '.jp'), {recursive: true})
  writeFileSync(join(root, '.jp', '.id'), 'a1b2c\n')
  for (let number = 0; number < count; number++) {
    const title = `Conversation ${number}`
    const folderName = `${17000000000 + number}-conversation-${number}`
    const files = {
      'metadata.json': pretty({title, last_activated_at: '2026-09-01 08:00:00.5'}),
      'base_config.json': pretty({inherit: true, assistant: {name: 'dev', model: {id: 'echo/echo'}}}),
      'events.json': pretty(tenEvents(number)),
    }
    const durable = writeCopy(join(silo, 'conversations'), folderName, files)
    const local = pretty({last_root: {path: root, last_used: '2026-09-01T08:00:00Z'}})
    writeFileSync(join(durable, 'metadata.local.json'), local)
    if (isLocal) continue
    const projected = writeCopy(join(root, '.jp', 'conversations'), folderName, files)
    for (const file of Object.keys(files)) utimesSync(join(projected, file), new Date(), new Date())
  }
  const env = {PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8'}
  return {root, home, silo, env}
}

/** Writes a user-local conversation of about this size into a store. Gives its id. */
export const writeLargeConversation = (store, {number, megabytes}) => {
  const id = 16000000000 + number
  const directory = join(store.silo, 'conversations', String(id))
  mkdirSync(directory, {recursive: true})
  const turn = tenEvents(number).map((event) => `  ${JSON.stringify(event, undefined, 2).replaceAll('\n', '\n  ')}`)
  const text = turn.join(',\n')
  const turns = Math.max(1, Math.round((megabytes * 1024 * 1024) / text.length))
  writeFileSync(
    join(directory, 'metadata.json'),
    pretty({title: `Large ${number}`, last_activated_at: '2026-09-01 08:00:00.5'}),
  )
  writeFileSync(join(directory, 'events.json'), `[\n${Array.from({length: turns}, () => text).join(',\n')}\n]\n`)
  return `jp-c${id}`
}
