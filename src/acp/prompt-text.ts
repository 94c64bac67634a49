import {fileURLToPath} from 'node:url'
import type {ContentBlock} from '@agentclientprotocol/sdk'
import {JpError} from '../errors/jp-error.js'

/**
 * The words of a prompt, in order: texts run together as the client split them, a linked resource becomes a mention of
 * it, an embedded one its text.
 * @throws JpError `request_invalid` for content that was not offered (pictures, sound), and for an empty prompt.
 */
export const promptText = (blocks: readonly ContentBlock[]): string => {
  const text = blocks.map(blockText).join('')
  if (text.trim() === '') throw new JpError('request_invalid', 'The prompt is empty.')
  return text
}

const blockText = (block: ContentBlock): string => {
  switch (block.type) {
    case 'text':
      return block.text
    case 'resource_link':
      return `[@${block.name}](${pathOrUri(block.uri)})`
    case 'resource':
      return 'text' in block.resource ? embedded(block.resource.uri, block.resource.text) : refuse('binary resources')
    case 'image':
      return refuse('pictures')
    case 'audio':
      return refuse('sound')
  }
}

const embedded = (uri: string, text: string): string =>
  `\n\n<file path=${JSON.stringify(pathOrUri(uri))}>\n${text}${text.endsWith('\n') ? '' : '\n'}</file>\n\n`

const pathOrUri = (uri: string): string => {
  try {
    return uri.startsWith('file:') ? fileURLToPath(uri) : uri
  } catch {
    return uri
  }
}

const refuse = (what: string): never => {
  throw new JpError('request_invalid', `jp takes text and text files in a prompt, no ${what}.`)
}
