import type {LanguageModelV4FilePart, LanguageModelV4TextPart} from '@ai-sdk/provider'
import {wellFormed} from '../well-formed.js'

/** What an attachment came to: text, or bytes that a model can see. */
export type AttachmentContent = {readonly name: string} & (
  | {readonly text: string}
  | {readonly mediaType: string; readonly bytes: Uint8Array}
)

/** An attachment as a part of the prompt. Its name can't end the frame around it. */
export const attachmentPart = (content: AttachmentContent): LanguageModelV4TextPart | LanguageModelV4FilePart => {
  if (!('text' in content)) {
    return {
      type: 'file',
      filename: content.name,
      mediaType: content.mediaType,
      data: {type: 'data', data: content.bytes},
    }
  }
  const name = content.name.replaceAll(/["<>\n]/g, '_')
  const text = `<attachment name="${name}">\n${wellFormed(content.text)}\n</attachment>`
  return {type: 'text', text, providerOptions: attachmentMark}
}

/** Tells an attachment from the words of the user, for whoever wants those alone (`echo`). Providers pass it over. */
const attachmentMark = {jp: {attachment: true}}
