import {resolve} from 'node:path'
import {setKeys} from '../config/edit.js'
import {resolveConfiguration} from '../config/pipeline.js'
import {trustCheckout} from '../config/trust-checkout.js'
import {hasCode, JpError} from '../errors/jp-error.js'
import {startChild} from '../platform/child-process.js'
import {variable} from '../platform/host-environment.js'
import {quoteForShell} from '../platform/shell-quote.js'
import type {Checkout} from '../workspace/checkout.js'
import {createWorkspace, refuseExisting} from '../workspace/create-workspace.js'
import {freeWorkspaceId} from '../workspace/free-workspace-id.js'
import {askMissing, checkModel, type InitAnswers, type InitFlags, withoutAsking} from './init-answers.js'
import {initialConfig} from './init-config.js'
import {makeTestCall, modelCandidates} from './init-models.js'
import {holderOf, type Launch} from './launch.js'

/** A workspace that was made, and what to do next. */
export type Initialized = {
  readonly checkout: Checkout
  readonly answers: InitAnswers
  /** Commands to paste, in order. */
  readonly next: readonly string[]
}

/**
 * Makes a workspace of a folder (W1, Q5). On a terminal it asks for what the flags leave open; elsewhere it takes the
 * careful choice and no model. On a terminal, or when told so, the model is asked once. The user-global configuration gets the name, and what was made is trusted (W30).
 * @param path relative to the launch cwd; undefined for the launch cwd itself.
 * @throws JpError `workspace_exists`, `usage`, `interrupted`, `disk_full`, `file_unwritable`. Nothing is left half-written.
 */
export const initWorkspace = async (
  launch: Launch,
  path: string | undefined,
  flags: InitFlags,
): Promise<Initialized> => {
  const folder = resolve(launch.environment.cwd, path ?? '.')
  refuseExisting(folder)
  if (flags.model !== undefined) checkModel(flags.model)
  const answers = launch.prompter === undefined ? withoutAsking(flags) : await ask(launch, flags)
  if (answers.userName !== undefined) await writeUserName(launch, answers.userName)
  const checkout = createWorkspace(folder, {
    id: freeWorkspaceId(launch.directories.data),
    config: initialConfig(answers),
  })
  await trust(launch, checkout)
  const tested = (flags.testCall ?? launch.prompter !== undefined) && answers.model?.startsWith('echo/') === false
  if (tested && answers.model !== undefined) await makeTestCall(launch, checkout.root, answers.model)
  return {checkout, answers, next: nextSteps(path, answers)}
}

/** First, since a user-global configuration that is malformed should stop the run before anything is made. */
const writeUserName = async (launch: Launch, name: string): Promise<void> => {
  const {directories, environment} = launch
  const place = {directories, configCwd: environment.cwd, env: environment.env, holder: holderOf(launch)}
  await setKeys(place, 'user-global', [`user.name:=${JSON.stringify(name)}`])
}

/** The workspace stands without the record of trust, so a failure is told and not the end. */
const trust = async ({directories, environment, clock, output}: Launch, {root}: Checkout): Promise<void> => {
  try {
    await trustCheckout({directories, checkoutRoot: root, configCwd: root, env: environment.env}, clock.nowMs())
  } catch (error) {
    if (!(error instanceof JpError)) throw error
    output.warn(`The new workspace is not trusted yet: ${error.message} Run "jp w trust" in it.`)
  }
}

const ask = async (launch: Launch, flags: InitFlags): Promise<InitAnswers> => {
  if (launch.prompter === undefined) return withoutAsking(flags)
  const suggestedName = flags.userName === undefined ? await suggestName(launch) : undefined
  const candidates = flags.model === undefined ? await modelCandidates(launch) : []
  return askMissing(flags, {candidates, suggestedName}, launch.prompter)
}

/** Undefined when the user-global configuration has a name; empty when nothing tells one. */
const suggestName = async (launch: Launch): Promise<string | undefined> => {
  const {environment, directories} = launch
  const place = {directories, configCwd: environment.homeDir, env: environment.env}
  const {config} = await resolveConfiguration(place, {launchCwd: environment.cwd})
  if (config.user.name !== undefined) return undefined
  return (await gitUserName(launch)) ?? variable(environment, 'USER') ?? variable(environment, 'USERNAME') ?? ''
}

const gitUserName = async ({environment}: Launch): Promise<string | undefined> => {
  try {
    const git = await startChild({
      command: 'git',
      args: ['config', '--global', 'user.name'],
      cwd: environment.homeDir,
      env: environment.env,
      stdin: 'ignore',
    })
    git.stderr.resume()
    let name = ''
    for await (const piece of git.stdout.setEncoding('utf8')) name += String(piece)
    await git.exited
    return name.trim() || undefined
  } catch (error) {
    if (hasCode(error, 'child_failed')) return undefined
    throw error
  }
}

const nextSteps = (path: string | undefined, {model}: InitAnswers): string[] => [
  ...(path === undefined || path === '.' ? [] : [`cd ${quoteForShell(path)}`]),
  ...(model === undefined ? ['jp config set assistant.model.id=PROVIDER/NAME'] : []),
  'jp query --new "Hello"',
]
