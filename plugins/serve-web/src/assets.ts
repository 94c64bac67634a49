import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import type {Answer} from './routes.js'

const types: Readonly<Record<string, string>> = {
  'style.css': 'text/css; charset=utf-8',
  'app.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
}

/** A file of the page, or undefined. */
export const assetAt = (path: string): Answer | undefined => {
  const name = /^\/assets\/([\w.]+)$/.exec(path)?.[1] ?? ''
  const type = Object.hasOwn(types, name) ? types[name] : undefined
  if (type === undefined) return undefined
  return {status: 200, type, text: readFileSync(join(import.meta.dirname, 'assets', name), 'utf8')}
}
