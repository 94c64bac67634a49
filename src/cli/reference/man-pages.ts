import {globalFlags} from '../global-flags.js'
import type {ManifestCommand} from './commands-page.js'

/** One manual page: its file name and its roff text. */
export type ManPage = {readonly name: string; readonly text: string}

/** The manual pages of jp and of each of its commands, written from the manifest at build time (Q6). */
export const renderManPages = (commands: readonly ManifestCommand[], version: string): ManPage[] => {
  const shown = commands
    .filter((command) => command.hidden !== true)
    .sort((left, right) => (left.id < right.id ? -1 : 1))
  return [overview(shown, version), ...shown.map((command) => commandPage(command, version))]
}

const overview = (commands: readonly ManifestCommand[], version: string): ManPage => ({
  name: 'jp.1',
  text: page('jp', version, 'program with language models, across many workspaces', [
    ['SYNOPSIS', '.B jp\n.I COMMAND\n[\n.I FLAGS\n]'],
    ['COMMANDS', commands.map((command) => tagged(`jp ${words(command.id)}`, command.summary ?? '')).join('\n')],
    ['FLAGS OF EVERY COMMAND', globalFlags.map((flag) => tagged(flagNames(flag), flag.summary)).join('\n')],
    ['SEE ALSO', commands.map((command) => `.BR jp-${command.id.replaceAll(':', '-')} (1)`).join('\n')],
  ]),
})

const commandPage = (command: ManifestCommand, version: string): ManPage => {
  const name = `jp-${command.id.replaceAll(':', '-')}`
  const args = Object.values(command.args)
  const own = Object.values(command.flags).filter((flag) => flag.helpGroup !== 'GLOBAL' && flag.hidden !== true)
  const synopsis = [
    `.B jp ${words(command.id)}`,
    ...args.map((arg) => `.I ${arg.name.toUpperCase()}`),
    '[\n.I FLAGS\n]',
  ].join('\n')
  const sections: (readonly [string, string])[] = [['SYNOPSIS', synopsis]]
  if (command.description !== undefined) sections.push(['DESCRIPTION', escape(plain(command.description))])
  if (args.length > 0)
    sections.push([
      'ARGUMENTS',
      args.map((arg) => tagged(arg.name.toUpperCase(), plain(arg.description ?? ''))).join('\n'),
    ])
  if (own.length > 0)
    sections.push([
      'FLAGS',
      own.map((flag) => tagged(flagNames(flag), plain(flag.summary ?? flag.description ?? ''))).join('\n'),
    ])
  sections.push(['SEE ALSO', '.BR jp (1)'])
  return {name: `${name}.1`, text: page(name, version, command.summary ?? '', sections)}
}

const page = (
  name: string,
  version: string,
  summary: string,
  sections: readonly (readonly [string, string])[],
): string =>
  [
    `.TH ${name.toUpperCase()} 1 "" "jp ${version}"`,
    '.SH NAME',
    `${name} \\- ${escape(summary)}`,
    ...sections.flatMap(([title, text]) => [`.SH ${title}`, text]),
    '',
  ].join('\n')

const tagged = (tag: string, text: string): string => `.TP\n.B ${escape(tag)}\n${escape(text)}`

const words = (id: string): string => id.replaceAll(':', ' ')

const flagNames = (flag: {readonly name: string; readonly char?: string}): string =>
  [...(flag.char === undefined ? [] : [`-${flag.char}`]), `--${flag.name}`].join(', ')

const plain = (text: string): string => text.replaceAll('<%= config.bin %>', 'jp')

/** roff reads a backslash, a hyphen and a leading dot or quote as commands, and takes ASCII for granted. */
const escape = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/gm, '\\&$1')
    .replace(/[^\n\u0020-\u007e]/gu, (character) => `\\[u${hexOf(character)}]`)

const hexOf = (character: string): string => (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
