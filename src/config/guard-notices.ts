import type {Layer} from './layers.js'
import type {Notice} from './notice.js'
import type {IgnoredSetting} from './stack.js'
import {showPath} from './value.js'

/** One notice for all that was left out of a kind, naming the files (W30, P14). */
export const guardNotices = (ignored: readonly IgnoredSetting[]): Notice[] => {
  const untrusted = ignored.filter(({reason, layer}) => reason === 'untrusted' && layer.kind !== 'conversation')
  const stored = ignored.filter(({reason, layer}) => reason === 'untrusted' && layer.kind === 'conversation')
  const never = ignored.filter(({reason, layer}) => reason === 'never_from_checkout' && layer.kind !== 'conversation')
  return [
    ...(untrusted.length === 0
      ? []
      : [
          {
            kind: 'untrusted' as const,
            text: `${settingsOf(untrusted)} of ${filesOf(untrusted)} left out: this checkout is not trusted with ${untrusted.length === 1 ? 'it' : 'them'}. See and allow ${untrusted.length === 1 ? 'it' : 'them'} with "jp w trust".`,
          },
        ]),
    ...(never.length === 0
      ? []
      : [
          {
            kind: 'never_from_checkout' as const,
            text: `${settingsOf(never)} of ${filesOf(never)} left out: a checkout can deny, never allow. Your own configuration can: "jp config set --user-workspace".`,
          },
        ]),
    ...(stored.length === 0
      ? []
      : [
          {
            kind: 'stored' as const,
            text: `${settingsOf(stored)} stored with the conversation left out: neither your configuration nor a trusted file gives ${stored.length === 1 ? 'it' : 'them'}. Give ${stored.length === 1 ? 'it' : 'them'} with --cfg for this run.`,
          },
        ]),
  ]
}

/** `conversation.tools.a.command and 3 more settings`. */
const settingsOf = (ignored: readonly IgnoredSetting[]): string => {
  const [first] = ignored
  const more = ignored.length - 1
  const path = first === undefined ? '' : showPath(first.path)
  return more === 0 ? path : `${path} and ${more} more ${more === 1 ? 'setting' : 'settings'}`
}

const filesOf = (ignored: readonly IgnoredSetting[]): string => {
  const names = [...new Set(ignored.map(({layer}) => groupOf(layer)))]
  const more = names.length - 1
  return more === 0 ? (names[0] ?? '') : `${names[0]} and ${more} more ${more === 1 ? 'file' : 'files'}`
}

/** The file that led to the others: what a user opens first. */
const groupOf = (layer: Layer): string => layer.group
