import {mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'

/** Writes a conversation as another jp would have left it; gives its folder. */
export const writeConversation = (
  base: string,
  name: string,
  content: {readonly metadata?: object; readonly events: readonly object[]},
): string => {
  const folder = join(base, 'conversations', name)
  mkdirSync(folder, {recursive: true})
  const metadata = {last_activated_at: '2026-09-01 08:00:00.0', ...content.metadata}
  writeFileSync(join(folder, 'metadata.json'), `${JSON.stringify(metadata, undefined, 2)}\n`)
  writeFileSync(join(folder, 'events.json'), `${JSON.stringify(content.events, undefined, 2)}\n`)
  return folder
}
