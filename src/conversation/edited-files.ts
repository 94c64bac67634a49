import {parseBaseConfig} from './conversation.js'
import {checkEvents} from './events-text.js'
import type {ManagedBytes} from './managed-files.js'
import {parseMetadata} from './metadata.js'

/** Managed files as somebody edited them, whole. */
export type EditedFiles = {
  readonly metadata?: string
  readonly events?: string
  readonly baseConfig?: string
}

/**
 * Proves that edited files are what they should be.
 * @throws JpError `conversation_corrupt`, naming the file.
 */
export const checkEdited = (files: EditedFiles): Partial<ManagedBytes> => {
  const edited: {-readonly [Key in keyof ManagedBytes]?: ManagedBytes[Key]} = {}
  if (files.metadata !== undefined) {
    parseMetadata(files.metadata, 'metadata.json')
    edited.metadata = files.metadata
  }
  if (files.events !== undefined) {
    const bytes = Buffer.from(files.events, 'utf8')
    checkEvents(bytes, 'events.json')
    edited.events = bytes
  }
  if (files.baseConfig !== undefined) {
    const bytes = Buffer.from(files.baseConfig, 'utf8')
    parseBaseConfig(bytes, '')
    edited.baseConfig = bytes
  }
  return edited
}
