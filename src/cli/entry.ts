import {readManifest} from './manifest.js'

/** Where the launcher enters: what needs no command line is answered before the rest of jp is loaded (Q11). */
export const main = async (argv: readonly string[]): Promise<void> => {
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
    process.stdout.write(`jp ${readManifest().version}\n`)
    return
  }
  const {runJp} = await import('./run.js')
  await runJp(argv)
}
