import {existsSync} from 'node:fs'
import {isAbsolute, relative, resolve} from 'node:path'
import {isInside} from '../../platform/contained-path.js'

/** Where typed attachments are meant from, and where their turn runs. */
export type AttachmentBase = {readonly launchCwd: string; readonly root: string}

/**
 * A typed attachment in the form that is stored: a relative path is typed for the launch cwd (W11) and stored for the root
 * of the checkout; one outside the checkout is stored whole.
 */
export const storedAttachment = (typed: string, {launchCwd, root}: AttachmentBase): string => {
  if (/^[a-z][a-z0-9+.-]+:/i.test(typed) && !typed.startsWith('file:')) return typed
  const excludes = typed.startsWith('!')
  const path = typed.replace(/^!/, '').replace(/^file:(?:\/\/(?!\/))?/, '')
  const whole = isAbsolute(path) ? path : resolve(launchCwd, path)
  const stored = isInside(root, whole) ? relative(root, whole) || '.' : whole
  return `${excludes ? '!' : ''}${stored}`
}

/**
 * The files that typed words mention: `@src/a.ts`, at the start of a word. What is there is attached. What is not and looks
 * like a file (`./x`, `x.md`) is kept as a mention too, so that it is told; anything else (`@types/node`) is plain text.
 */
export const mentionsIn = (words: readonly string[], launchCwd: string): string[] => [
  ...new Set(
    [...words.join(' ').matchAll(/(?<=^|[\s(["'])@((?:\.{0,2}\/)?[\w.-][\w./-]*\w)/g)]
      .map(([, path = '']) => path)
      .filter((path) => /^\.{0,2}\/|\.[a-z]\w{0,4}$/i.test(path) || existsSync(resolve(launchCwd, path))),
  ),
]

/** The setting that adds attachments. */
export const attachmentAssignments = (stored: readonly string[]): readonly string[] =>
  stored.length === 0 ? [] : [`conversation.attachments:+=${JSON.stringify(stored)}`]
