import {forTerminal, forTerminalLine} from '../platform/sanitise.js'
import type {AttachmentContent} from '../turn/attachments/attachment-content.js'

/** One attachment as JSON: its text, or what kind of bytes it has and how many. */
export type AttachmentRow = {readonly name: string} & (
  | {readonly text: string}
  | {readonly media_type: string; readonly bytes: number}
)

/** Attachments as JSON. */
export const attachmentRows = (contents: readonly AttachmentContent[]): readonly AttachmentRow[] =>
  contents.map((content) =>
    'text' in content
      ? {name: content.name, text: content.text}
      : {name: content.name, media_type: content.mediaType, bytes: content.bytes.length},
  )

/** Attachments for people: each below its name. */
export const attachmentText = (contents: readonly AttachmentContent[]): string =>
  contents
    .map((content) => {
      const body =
        'text' in content
          ? forTerminal(content.text).trimEnd()
          : `(${content.mediaType}, ${content.bytes.length} bytes)`
      return `## ${forTerminalLine(content.name)}\n\n${body}\n`
    })
    .join('\n')
