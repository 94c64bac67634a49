import type {CallToolResult, ContentBlock} from '@modelcontextprotocol/client'

/** The result of a tool as a model is told. */
export type McpResult = {readonly content: string; readonly isError: boolean}

/**
 * A tool's result as text: text parts and embedded resources, joined by a blank line; what can't be told as text is named
 * in a line of its own, so that the model knows that it was there (facts 9.6). A result that is structured only is JSON.
 */
export const resultText = (result: CallToolResult): McpResult => {
  const parts = (result.content ?? []).map(partText)
  const structured = result.structuredContent
  const content = parts.length === 0 && structured !== undefined ? JSON.stringify(structured) : parts.join('\n\n')
  return {content, isError: result.isError === true}
}

const partText = (part: ContentBlock): string => {
  switch (part.type) {
    case 'text':
      return part.text
    case 'resource':
      return 'text' in part.resource ? part.resource.text : part.resource.blob
    case 'image':
    case 'audio':
      return `[${part.type}, ${part.mimeType}, ${decodedBytes(part.data)} bytes: not shown]`
    case 'resource_link':
      return `[resource ${part.uri}${part.title === undefined ? '' : ` "${part.title}"`}: not read]`
    default:
      return `[a part of an unknown type: not shown]`
  }
}

const decodedBytes = (base64: string): number => Buffer.byteLength(base64, 'base64')
