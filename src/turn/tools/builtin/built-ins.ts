import type {BuiltInTool} from './built-in-tool.js'
import {listFiles, patchFile, readFile, search, writeFile} from './file-tools.js'
import {runShellCommand} from './run-command-tool.js'

/**
 * The tools that jp brings, by name. They stay inside the checkout and what `access.fs` opens beside it, and ask before each
 * call unless configured.
 */
export const builtIns: Readonly<Record<string, BuiltInTool>> = {
  read_file: readFile,
  list_files: listFiles,
  search_files: search,
  write_file: writeFile,
  patch_file: patchFile,
  run_command: runShellCommand,
}
