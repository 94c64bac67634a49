/**
 * A process that writes to (or reads from) conversations as fast as it can until it is killed. A writer tells what was
 * acknowledged, a reader what went wrong, a line each, written at once.
 */
import {writeSync} from 'node:fs'
import {createConversationStore} from '../../src/conversation/store.js'
import {hasCode} from '../../src/errors/jp-error.js'
import {parseConversationId} from '../../src/platform/id-grammar.js'

const [, , mode, root = '', silo = '', tag = '', ...names] = process.argv
const store = createConversationStore({
  root,
  silo,
  clock: {nowMs: () => Date.now()},
  pid: process.pid,
  isLive: () => true,
})
const ids = names.flatMap((name) => parseConversationId(name) ?? [])
const say = (line: string): void => void writeSync(1, `${line}\n`)

const write = (number: number): void => {
  const id = ids[Math.floor(Math.random() * ids.length)]
  if (id === undefined) return
  try {
    const held = store.lock(id)
    try {
      // A rename and a long text widen the window.
      if (number % 5 === 0) held.changeMetadata({title: `By ${tag} ${number}`})
      held.append([
        {type: 'turn_start'},
        {type: 'chat_request', content: `${tag}-${number}`},
        {type: 'chat_response', message: 'x'.repeat(2000)},
      ])
      held.recordRoot(root)
      say(`${id} ${tag}-${number}`)
    } finally {
      held.release()
    }
  } catch (error) {
    if (!hasCode(error, 'conversation_locked')) say(`error ${error instanceof Error ? error.stack : String(error)}`)
  }
}

const read = (): void => {
  try {
    const {entries, corrupt} = store.list()
    if (entries.length !== ids.length) say(`error ${entries.length} listed`)
    for (const {reason} of corrupt) say(`error ${reason}`)
    for (const id of ids) store.read(id)
  } catch (error) {
    say(`error ${error instanceof Error ? error.stack : String(error)}`)
  }
}

say('ready')
for (let number = 0; ; number++) {
  if (mode === 'write') write(number)
  else read()
}
