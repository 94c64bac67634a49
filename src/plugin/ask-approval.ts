import type {Prompter} from '../platform/prompter.js'
import type {ApprovalQuestion} from './admit.js'

/** The answers to the question whether a plugin may run (P10). */
export type ApprovalAnswer = 'once' | 'remember' | 'no'

const reasons = {
  new: 'It was never approved.',
  changed: 'It changed since it was approved.',
  elsewhere: 'A file of this name was approved at another place.',
} as const

/**
 * Asks on the terminal whether a plugin may run. Everything that was approved by is shown (P11); the prompter makes what
 * is invisible visible.
 */
export const askApproval = (prompter: Prompter, question: ApprovalQuestion): Promise<ApprovalAnswer> => {
  const {name, manifest, path, sha256, reason, approvedPath, replaces} = question
  const lines = [
    `Plugin    ${oneLine(name)}`,
    `Claims    jp ${oneLine(manifest.command.join(' '))}`,
    `About     ${oneLine(manifest.description)}`,
    `Scope     ${manifest.scope === 'multi' ? 'multi: every workspace on this machine' : 'single: the workspace of this run'}`,
    `Path      ${oneLine(path)}`,
    `sha256    ${sha256}`,
    ...(replaces === undefined ? [] : [`It replaces the official plugin "${oneLine(replaces)}".`]),
    reasons[reason] + (reason === 'elsewhere' && approvedPath !== undefined ? ` (${oneLine(approvedPath)})` : ''),
  ]
  return prompter.choose<ApprovalAnswer>({
    message: `Run the plugin "${oneLine(name)}"?`,
    detail: lines.join('\n'),
    // Enter alone is the first answer.
    choices: [
      {value: 'no', key: 'n', label: 'no'},
      {value: 'once', key: 'y', label: 'yes, this once'},
      {value: 'remember', key: 'Y', label: 'yes, and remember these bytes at this path'},
    ],
  })
}

/** A line feed in a description must not make up a line of the question. */
const oneLine = (text: string): string => text.replace(/[\n\t]+/g, ' ')
