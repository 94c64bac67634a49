import type {Examination, Finding} from '../bootstrap/doctor.js'
import {JpError} from '../errors/jp-error.js'
import {forTerminalLine} from '../platform/sanitise.js'
import type {Invocation} from './invocation.js'

/** Prints what `jp doctor` found. */
export const printExamination = ({checkout, silo, findings}: Examination, invocation: Invocation): void => {
  const {output, version, directories} = invocation
  const about = {jp: version, node: process.version, data: directories.data, config: directories.config}
  const workspace = checkout === undefined ? null : {id: checkout.id, root: checkout.root, store: silo ?? null}
  if (output.isJson) return output.json({about, workspace, findings})
  const lines = [
    `jp ${version}, Node ${process.version}`,
    `Data       ${directories.data}`,
    workspace === null ? 'Workspace  none here' : `Workspace  ${workspace.id} at ${workspace.root}`,
    ...(workspace === null ? [] : [`Store      ${workspace.store ?? 'none yet'}`]),
    ...findings.map((finding) => `${output.paint('yellow', '!')} ${findingText(finding)}`),
    ...(findings.length === 0 ? ['Everything is in order.'] : []),
  ]
  for (const line of lines) output.line(line, undefined)
}

const findingText = ({path, reason, advice, state}: Finding): string => {
  const words = {found: `--fix: ${advice}`, fixed: `fixed: ${advice}`, in_use: 'in use now; left alone'}[state]
  return `${forTerminalLine(path)}: ${forTerminalLine(reason)}\n    ${words}`
}

/**
 * Damage that stays is told by the exit code (Q2); left-overs of processes that died are no damage.
 * @throws JpError `conversation_corrupt`.
 */
export const assertSound = (findings: readonly Finding[]): void => {
  const left = findings.filter(({code, state}) => state !== 'fixed' && code !== 'stale_lock' && code !== 'dead_root')
  if (left.length === 0) return
  const what = left.length === 1 ? 'One of these findings is damage.' : `${left.length} of these findings are damage.`
  throw new JpError('conversation_corrupt', what, {hint: 'Run "jp doctor --fix" to put it right.'})
}
