import {isAbsolute, join} from 'node:path'
import type {ToolCallContent} from '@agentclientprotocol/sdk'
import {JpError} from '../errors/jp-error.js'
import {canonicalIfPresent} from '../platform/contained-path.js'
import {createFileAccess} from '../turn/tools/builtin/file-access.js'
import {patched} from '../turn/tools/builtin/file-tools.js'
import type {TextFiles} from '../turn/tools/tool-hands.js'
import type {ShownCall} from './tool-view.js'

/** What a call is shown with beside its title: the difference that it makes. */
export type DisplayDeps = {
  readonly root: string
  readonly files: TextFiles
  /** Ends reading. */
  readonly signal: AbortSignal
}

/** The longest text that is shown as a difference. Unit: UTF-16 code units. */
const maxShownUnits = 1_000_000

/** The difference that a call of a built-in tool would make; nothing for a call that changes no file, or would fail. */
export const differenceOf = async (call: ShownCall, deps: DisplayDeps): Promise<ToolCallContent[]> => {
  const {path: written} = call.arguments
  if ((call.builtIn !== 'write_file' && call.builtIn !== 'patch_file') || typeof written !== 'string') return []
  try {
    const {path} = createFileAccess({root: deps.root, env: {}}).change(written)
    const oldText = await readIfPresent(path, deps)
    const newText =
      call.builtIn === 'write_file' ? call.arguments['content'] : patched(oldText ?? '', call.arguments).text
    if (typeof newText !== 'string' || newText.length + (oldText?.length ?? 0) > maxShownUnits) return []
    const shownPath = isAbsolute(written) ? written : join(deps.root, written)
    return [{type: 'diff', path: shownPath, oldText: oldText ?? null, newText}]
  } catch (error) {
    if (error instanceof JpError) return []
    throw error
  }
}

const readIfPresent = async (path: string, {files, signal}: DisplayDeps): Promise<string | undefined> => {
  // A client that is asked for a file that does not exist may tell its user of an error.
  if (canonicalIfPresent(path) === undefined) return undefined
  try {
    return await files.read(path, signal)
  } catch (error) {
    if (error instanceof JpError && error.code === 'file_not_found') return undefined
    throw error
  }
}
