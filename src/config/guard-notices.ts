import type {Notice} from './notice.js'
import type {IgnoredSetting} from './stack.js'
import {showPath} from './value.js'

/**
 * One notice for all that was left out for one reason, naming the file and the next step (W30, P14).
 * @param isTrusted the user trusts this checkout, so what is left out has changed since.
 */
export const guardNotices = (ignored: readonly IgnoredSetting[], isTrusted: boolean): Notice[] => {
  const untrusted = ignored.filter(({reason, layer}) => reason === 'untrusted' && layer.kind !== 'conversation')
  const stored = ignored.filter(({reason, layer}) => reason === 'untrusted' && layer.kind === 'conversation')
  const never = ignored.filter(({reason, layer}) => reason === 'never_from_checkout' && layer.kind !== 'conversation')
  const why = isTrusted ? 'new or changed since you trusted this checkout' : 'this checkout is not trusted'
  const notices: Notice[] = []
  if (untrusted.length > 0) {
    notices.push({kind: 'untrusted', text: `${leftOut(untrusted)}: ${why}. "jp w trust" shows and allows them.`})
  }
  if (never.length > 0) {
    notices.push({
      kind: 'never_from_checkout',
      text: `${leftOut(never)}: a checkout can deny, never allow. Your own file can: "jp config set --user-workspace".`,
    })
  }
  if (stored.length > 0 && untrusted.length === 0) {
    const names = settingsOf(stored)
    notices.push({
      kind: 'stored',
      text: `Left out of the conversation's stored configuration: ${names}: neither your own configuration nor a trusted file gives them. Name them with --cfg to use them.`,
    })
  }
  return notices
}

const leftOut = (ignored: readonly IgnoredSetting[]): string => {
  const files = [...new Set(ignored.map(({layer}) => layer.group))]
  return `Left out of ${some(files)}: ${settingsOf(ignored)}`
}

/** `conversation.tools.a, providers.mcp.b and 3 more`. */
const settingsOf = (ignored: readonly IgnoredSetting[]): string => some([...new Set(ignored.map(unitOf))])

/** A tool or a server is one thing to people, however many of its keys are guarded. */
const unitOf = ({path}: IgnoredSetting): string => {
  const isEntry = (path[0] === 'conversation' && path[1] === 'tools') || path[0] === 'providers'
  return showPath(isEntry ? path.slice(0, 3) : path[1] === 'attachments' ? path.slice(0, 2) : path)
}

const some = (names: readonly string[]): string => {
  const shown = names.slice(0, 2)
  const more = names.length - shown.length
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(' and ')
}
