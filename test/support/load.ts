import {join} from 'node:path'
import {writeConversation} from './plant-conversation.js'
import type {Scratch} from './scratch.js'

/** Arguments of a command that loads, succeeds in every checkout of {@link loadable}, and asks nothing of its own. */
export const load = ['c', 'use', 'jp-c17000000001'] as const

/** Puts the conversation into a checkout that {@link load} uses; gives the root. */
export const plantLoadable = (root: string): string => {
  const timestamp = '2026-09-01 08:00:00.0'
  writeConversation(join(root, '.jp'), '17000000001', {events: [{timestamp, type: 'turn_start'}]})
  return root
}

/** Makes a checkout in which {@link load} succeeds; gives its root. */
export const loadable = (scratch: Scratch, name: string, id: string): string =>
  plantLoadable(scratch.checkout(name, id))
