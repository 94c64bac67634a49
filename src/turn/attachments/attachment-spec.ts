import type {Configuration} from '../../config/schema.js'
import {JpError} from '../../errors/jp-error.js'

/** An attachment as it was asked for (W34), understood but not fetched. */
export type AttachmentSpec = {
  /** As people wrote it. */
  readonly written: string
  readonly scheme: 'file' | 'cmd' | 'http' | 'mcp' | 'jp'
  /** A path or glob, a command line, an address, `server` and `uri`, or a conversation. */
  readonly target: string
  /** Takes files away that other attachments brought. */
  readonly excludes: boolean
}

type Configured = Configuration['conversation']['attachments'][number]

/** The attachments of a configuration, in order. @throws JpError `usage` for a scheme that jp does not know. */
export const parseAttachment = (attachment: Configured): AttachmentSpec => {
  if (typeof attachment === 'string') return parseText(attachment)
  const {type, path, params} = attachment
  const excludes = params !== undefined && Object.hasOwn(params, 'exclude') && params['exclude'] !== false
  return {...parseText(type === 'file' || /^https?$/.test(type) ? path : `${type}:${path}`), excludes}
}

const parseText = (written: string): AttachmentSpec => {
  if (written.startsWith('!')) return {...parseText(written.slice(1)), written, excludes: true}
  const [, scheme, rest = ''] = /^([a-z][a-z0-9+.-]+):(.*)$/is.exec(written) ?? []
  const spec = (kind: AttachmentSpec['scheme'], target: string): AttachmentSpec => ({
    written,
    scheme: kind,
    target,
    excludes: false,
  })
  switch (scheme?.toLowerCase()) {
    case undefined:
      return spec('file', written)
    case 'file':
      return fileSpec(spec('file', withoutSlashes(rest)))
    case 'cmd':
      return spec('cmd', decodeURIComponentSafely(withoutSlashes(rest)))
    case 'http':
    case 'https':
      return spec('http', written)
    case 'jp':
      return spec('jp', rest.replace(/^\/\//, ''))
    default:
      if (scheme?.toLowerCase().startsWith('mcp+') === true) return spec('mcp', `${scheme.slice(4)}:${rest}`)
      throw new JpError('usage', `There is no kind of attachment "${scheme}:" (${written}).`, {
        hint: 'Attach a file, a glob, cmd:COMMAND, http(s)://…, mcp+SERVER:URI, or jp://CONVERSATION.',
      })
  }
}

const fileSpec = (spec: AttachmentSpec): AttachmentSpec =>
  spec.target.endsWith('?exclude') ? {...spec, target: spec.target.slice(0, -'?exclude'.length), excludes: true} : spec

/** `file:///x` and `file:/x` are absolute, `file:x` and `file://x` are relative. */
const withoutSlashes = (rest: string): string => rest.replace(/^\/\/(?!\/)/, '').replace(/^\/\/\//, '/')

const decodeURIComponentSafely = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
