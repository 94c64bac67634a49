import {quoteForShell} from '../platform/shell-quote.js'

/**
 * The command line that was typed, acting in another place: its `-w` is taken out, in whatever spelling, and one for
 * `root` put in front. What stands behind `--` is not jp's.
 * @param target the value of the `-w` that was given, or undefined.
 */
export const pasteable = (argv: readonly string[], target: string | undefined, root: string): string => {
  const rest = target === undefined ? argv : withoutTarget(argv, target)
  return ['jp', '-w', root, ...rest].map(quoteForShell).join(' ')
}

const withoutTarget = (argv: readonly string[], target: string): string[] => {
  const end = argv.indexOf('--')
  const own = end === -1 ? argv : argv.slice(0, end)
  const joined = own.findIndex((word) => [`-w${target}`, `-w=${target}`, `--workspace=${target}`].includes(word))
  if (joined !== -1) return argv.filter((_, index) => index !== joined)
  const apart = own.findIndex((word, index) => ['-w', '--workspace'].includes(word) && own[index + 1] === target)
  if (apart !== -1) return argv.filter((_, index) => index !== apart && index !== apart + 1)
  const cluster = own.findIndex((word, index) => /^-[A-Za-z]+w$/.test(word) && own[index + 1] === target)
  if (cluster === -1) return [...argv]
  return argv.flatMap((word, index) => (index === cluster ? [word.slice(0, -1)] : index === cluster + 1 ? [] : [word]))
}
