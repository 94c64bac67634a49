import {readFileSync} from 'node:fs'
import {createRequire} from 'node:module'
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import type {Jp} from '../client.js'

/** A command to host. */
export type HostedCommand = {
  readonly root: string
  readonly claim: readonly string[]
  readonly jp: Jp
}

/** How it ended. */
export type HostedEnd = {readonly code: number; readonly reason: string | undefined}

/** The parts of oclif that are used, of whatever version the package brings. */
type Loadable = {load(): Promise<{readonly workspaceScope?: string}>}
type OclifConfig = {
  readonly pjson: {readonly oclif?: {readonly helpOptions?: object}}
  readonly topics: readonly {readonly name: string}[]
  readonly commandIDs: readonly string[]
  findCommand(id: string): Loadable | undefined
  runHook(name: string, options: object): Promise<unknown>
  runCommand(id: string, argv: readonly string[], command?: Loadable): Promise<unknown>
}
type Oclif = {
  readonly settings: {enableAutoTranspile?: boolean}
  readonly Config: {load(options: object): Promise<OclifConfig>}
  loadHelpClass(
    config: OclifConfig,
  ): Promise<new (config: OclifConfig, options?: object) => {showHelp(argv: readonly string[]): Promise<void>}>
}

/** Runs the command of a package that the words behind `jp` name. Never rejects. */
export const hostCommand = async ({root, claim, jp}: HostedCommand): Promise<HostedEnd> => {
  try {
    const oclif = await loadOclif(root)
    if (jp.init.output_format.startsWith('json')) process.env['JP_CONTENT_TYPE'] = 'json'
    const config = await loadConfig(oclif, root)
    const {id, argv} = findCommand(config, claim, jp.init.args)
    if (wantsHelp(argv) || (id === undefined && isTopicOnly(config, claim, argv))) {
      await showHelp(oclif, config, id ?? claim.join(':'))
      return {code: 0, reason: undefined}
    }
    if (id === undefined) {
      const shown = `jp ${[...claim, argv[0]].join(' ')}`
      return {code: 2, reason: `There is no command "${shown}". See: jp ${claim.join(' ')} --help`}
    }
    return await run(config, {id, argv, scope: jp.init.workspace === undefined ? 'multi' : 'single'})
  } catch (error) {
    return endOf(error)
  }
}

/** The package as oclif is to see it: its commands are those of jp. */
const asPartOfJp = (root: string): object => {
  const pjson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return {...pjson, oclif: {...pjson.oclif, bin: 'jp', topicSeparator: ' '}}
}

const loadConfig = (oclif: Oclif, root: string): Promise<OclifConfig> => {
  oclif.settings.enableAutoTranspile = false
  return oclif.Config.load({root, userPlugins: false, devPlugins: false, pjson: asPartOfJp(root)})
}

const showHelp = async (oclif: Oclif, config: OclifConfig, id: string): Promise<void> => {
  const Help = await oclif.loadHelpClass(config)
  await new Help(config, {...config.pjson.oclif?.helpOptions, stripAnsi: true}).showHelp([id])
}

/** The help of a claim as a text: what a description holds. */
export const helpOf = async ({root, claim}: Pick<HostedCommand, 'root' | 'claim'>): Promise<string> => {
  const write = process.stdout.write.bind(process.stdout)
  let text = ''
  process.stdout.write = (chunk: string | Uint8Array): boolean => {
    text += String(chunk)
    return true
  }
  try {
    const oclif = await loadOclif(root)
    const config = await loadConfig(oclif, root)
    const {id} = findCommand(config, claim, [])
    await showHelp(oclif, config, id ?? claim.join(':'))
    return text
  } finally {
    process.stdout.write = write
  }
}

const run = async (
  config: OclifConfig,
  {id, argv, scope}: {id: string; argv: readonly string[]; scope: string},
): Promise<HostedEnd> => {
  const command = config.findCommand(id)
  const written = (await command?.load())?.workspaceScope
  if (written !== undefined && written !== scope) {
    const reason = `The command "${id.replaceAll(':', ' ')}" is written for the scope ${written}, and its package states ${scope}.`
    return {code: 7, reason}
  }
  await config.runHook('init', {argv, id})
  await config.runCommand(id, argv, command)
  return {code: typeof process.exitCode === 'number' ? process.exitCode : 0, reason: undefined}
}

/** The oclif that the package brings; ours for a package that brings none. */
const loadOclif = async (root: string): Promise<Oclif> => {
  for (const from of [join(root, 'package.json'), import.meta.filename]) {
    try {
      const file = createRequire(from).resolve('@oclif/core')
      return (await import(pathToFileURL(file).href)) as Oclif
    } catch (error) {
      if (from !== join(root, 'package.json')) throw error
    }
  }
  throw new TypeError('unreachable')
}

/** The longest id that the words spell; a package with one command has it under its claim. */
const findCommand = (
  config: OclifConfig,
  claim: readonly string[],
  args: readonly string[],
): {id: string | undefined; argv: readonly string[]} => {
  const until = args.findIndex((arg) => arg.startsWith('-'))
  const words = until === -1 ? args : args.slice(0, until)
  for (let length = words.length; length >= 0; length--) {
    const id = [...claim, ...words.slice(0, length)].join(':')
    if (config.findCommand(id) !== undefined) return {id, argv: args.slice(length)}
  }
  const [only] = config.commandIDs
  if (config.commandIDs.length === 1 && only !== undefined && !only.includes(':')) return {id: only, argv: args}
  return {id: undefined, argv: args}
}

const wantsHelp = (argv: readonly string[]): boolean => {
  const end = argv.indexOf('--')
  return (end === -1 ? argv : argv.slice(0, end)).some((arg) => arg === '--help' || arg === '-h')
}

const isTopicOnly = (config: OclifConfig, claim: readonly string[], argv: readonly string[]): boolean =>
  argv.length === 0 && config.topics.some(({name}) => name === claim.join(':'))

/** What oclif throws says how to end; an `exit` has nothing to tell. */
const endOf = (error: unknown): HostedEnd => {
  if (!(error instanceof Error)) return {code: 1, reason: String(error)}
  const oclif: unknown = Reflect.get(error, 'oclif')
  const code = typeof oclif === 'object' && oclif !== null ? Number(Reflect.get(oclif, 'exit') ?? 1) : 1
  const isExit = Reflect.get(error, 'code') === 'EEXIT'
  return {code, reason: isExit || code === 0 ? undefined : error.message}
}
