import type {Launch} from '../../src/bootstrap/launch.js'
import {userDirectories} from '../../src/platform/directories.js'
import type {ChoiceQuestion, Prompter} from '../../src/platform/prompter.js'
import type {Scratch} from './scratch.js'

/** A launch without a process, for tests of the bootstrap. */
export type FakeLaunch = Launch & {
  /** What was said on stderr. */
  readonly said: string[]
  /** The questions that were asked, in order. */
  readonly asked: ChoiceQuestion<unknown>[]
}

/** What a fake launch is given. */
export type FakeLaunchOptions = {
  readonly cwd: string
  readonly workspace?: string
  readonly noPersist?: boolean
  readonly nowMs?: number
  /** Answers to questions, by key or by a part of the label; without it there is no terminal. */
  readonly answers?: readonly string[]
  /** The value of `$JP_SESSION`. */
  readonly session?: string
}

/** Creates a launch in a scratch HOME, with a session of its own. */
export const createLaunch = (scratch: Scratch, options: FakeLaunchOptions): FakeLaunch => {
  const environment = {
    env: {...scratch.env, JP_SESSION: options.session ?? 'tab'},
    cwd: options.cwd,
    homeDir: scratch.home,
    platform: process.platform,
    pid: process.pid,
  }
  const said: string[] = []
  const asked: ChoiceQuestion<unknown>[] = []
  return {
    environment,
    directories: userDirectories(environment),
    clock: {nowMs: () => options.nowMs ?? Date.parse('2026-11-30T12:00:00Z')},
    globals: {
      workspace: options.workspace === undefined ? [] : [options.workspace],
      noPersist: options.noPersist ?? false,
    },
    argv: options.workspace === undefined ? ['c', 'ls'] : ['c', 'ls', '-w', options.workspace],
    prompter: options.answers === undefined ? undefined : createPrompter(options.answers, asked),
    output: {note: (text) => said.push(text), warn: (text) => said.push(text)},
    said,
    asked,
  }
}

/** The question that a test has no answer to. */
export class Unanswered extends Error {
  readonly question: ChoiceQuestion<unknown>
  constructor(question: ChoiceQuestion<unknown>) {
    super(question.message)
    this.question = question
  }
}

const createPrompter = (answers: readonly string[], asked: ChoiceQuestion<unknown>[]): Prompter => {
  let next = 0
  const choose = async <Value>(question: ChoiceQuestion<Value>): Promise<Value> => {
    asked.push(question)
    const answer = answers[next++]
    const choice = question.choices.find(
      ({key, label}) => answer !== undefined && (key === answer || (answer.length > 1 && label.includes(answer))),
    )
    if (choice === undefined) throw new Unanswered(question)
    return choice.value
  }
  const never = async (): Promise<never> => {
    throw new Error('nothing else is asked here')
  }
  return {choose, search: choose, selectMany: never, confirm: never, input: never, secret: never}
}
