import {readCommandLine} from '../argv.js'
import {createCommandTable} from '../command-table.js'
import {createInvocation} from '../create-invocation.js'
import {createEnding} from '../ending.js'
import type {GlobalOptions} from '../global-flags.js'
import {readManifest} from '../manifest.js'
import {complete, encodeCandidates} from './complete.js'
import {createSources} from './sources.js'

/**
 * Answers a completion script (Q6): one candidate a line. Asks nothing, writes nothing, runs no plugin; whatever goes wrong
 * means no candidates, since a shell has nowhere to show an error.
 * @param words what stands behind `jp`; the last one is being typed.
 */
export const answerCompletion = async (words: readonly string[]): Promise<void> => {
  try {
    const manifest = readManifest()
    const table = createCommandTable(manifest.commands)
    const globals = {
      ...globalsOf(words, table),
      quiet: true,
      nonInteractive: true,
      noPersist: true,
      verbosity: 0,
      logFile: undefined,
    }
    const {signal, streams} = createEnding(() => undefined, false)
    const invocation = createInvocation(globals, {
      argv: words,
      commands: table,
      version: manifest.version,
      ending: signal,
      streams,
    })
    await invocation.output.write(encodeCandidates(await complete(words, table, createSources(invocation))))
  } catch {
    process.exitCode = 1
  }
}

/** The global flags of a line that may not be whole yet. */
const globalsOf = (words: readonly string[], table: ReturnType<typeof createCommandTable>): GlobalOptions => {
  try {
    return readCommandLine(words.slice(0, -1), table).globals
  } catch {
    return readCommandLine([], table).globals
  }
}
