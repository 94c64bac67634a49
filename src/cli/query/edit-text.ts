import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {readText, writeAtomic} from '../../platform/files.js'
import {type EditorSettings, openInEditor} from '../editor.js'
import type {Invocation} from '../invocation.js'

/** Has a text edited in a private temporary file; gives what became of it. @throws JpError as `openInEditor`. */
export const editText = async (
  text: string,
  name: string,
  {
    invocation,
    settings,
    cwd,
  }: {readonly invocation: Invocation; readonly settings: EditorSettings; readonly cwd: string},
): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'jp-edit-'))
  const file = join(folder, name)
  try {
    writeAtomic(file, text, 'user')
    await openInEditor([file], settings, {environment: invocation.environment, cwd})
    return readText(file)
  } finally {
    rmSync(folder, {recursive: true, force: true})
  }
}
