import {writeWhole} from '../platform/write-whole.js'
import {readCommands} from './manifest.js'

/**
 * Where the launcher enters: `--version` is answered before the rest of jp is loaded (Q11); `__complete` is what the
 * completion scripts call.
 */
export const main = async (argv: readonly string[]): Promise<void> => {
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
    try {
      return writeWhole(1, `jp ${readCommands().version}\n`)
    } catch {
      // The run says what is wrong with the output.
    }
  }
  if (argv[0] === '__complete') {
    const {answerCompletion} = await import('./completion/answer.js')
    return answerCompletion(argv.slice(1))
  }
  const {runJp} = await import('./run.js')
  await runJp(argv)
}
