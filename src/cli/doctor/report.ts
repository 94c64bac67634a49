import {JpError} from '../../errors/jp-error.js'
import {forTerminalLine} from '../../platform/sanitise.js'
import type {Invocation} from '../invocation.js'
import type {Examination, Finding} from './examine.js'

/** Prints what `jp doctor` found: versions and paths first, as a bug report wants them. */
export const printExamination = (examination: Examination, invocation: Invocation): void => {
  const {output} = invocation
  const {findings} = examination
  if (output.isJson) return output.json({...aboutOf(examination, invocation), findings})
  for (const line of headLines(examination, invocation)) output.line(line, undefined)
  for (const finding of findings) {
    const mark = output.paint(finding.gravity === 'note' ? 'dim' : 'yellow', finding.gravity === 'note' ? '-' : '!')
    output.line(`${mark} ${findingText(finding)}`, undefined)
  }
  if (findings.length === 0) output.line('Everything is in order.', undefined)
}

const aboutOf = ({place, git, model}: Examination, {version, directories, environment}: Invocation) => {
  const {data, config, cache, state} = directories
  const {checkout, silo} = place
  return {
    about: {
      jp: version,
      node: process.version,
      platform: `${environment.platform}-${process.arch}`,
      git: git ?? null,
      model: model ?? null,
      data,
      config,
      cache,
      state,
    },
    workspace: checkout === undefined ? null : {id: checkout.id, root: checkout.root, store: silo ?? null},
  }
}

const headLines = (examination: Examination, invocation: Invocation): readonly string[] => {
  const {about, workspace} = aboutOf(examination, invocation)
  return [
    `jp ${about.jp}, Node ${about.node}, ${about.git === null ? 'no git' : `git ${about.git}`}, ${about.platform}`,
    `Data       ${about.data}`,
    `Config     ${about.config}`,
    `Cache      ${about.cache}`,
    `State      ${about.state}`,
    `Model      ${about.model ?? 'none is configured here; choose one: jp init'}`,
    workspace === null ? 'Workspace  none here' : `Workspace  ${workspace.id} at ${workspace.root}`,
    ...(workspace === null ? [] : [`Store      ${workspace.store ?? 'none yet'}`]),
  ]
}

const findingText = ({path, reason, advice, fixable, state}: Finding): string => {
  const next = fixable ? `--fix: ${advice}` : advice
  const words = {found: next, fixed: `fixed: ${advice}`, in_use: 'in use now; left alone'}[state]
  return `${forTerminalLine(path)}: ${forTerminalLine(reason)}\n    ${forTerminalLine(words)}`
}

/**
 * What is left is told by the exit code (Q2): damage is 8, what a run would fail for is 1, notes are none.
 * @throws JpError `conversation_corrupt`, `file_corrupt`, `doctor_found_faults`.
 */
export const assertSound = (findings: readonly Finding[]): void => {
  const left = findings.filter(({state, gravity}) => state !== 'fixed' && gravity !== 'note')
  if (left.length === 0) return
  const damage = left.filter(({gravity}) => gravity === 'damage')
  const hint = left.some(({fixable}) => fixable)
    ? 'Run "jp doctor --fix" to put right what can be put right.'
    : 'What to do stands below each.'
  if (damage.length === 0) {
    const what =
      left.length === 1 ? 'One of these findings stops a run.' : `${left.length} of these findings stop a run.`
    throw new JpError('doctor_found_faults', what, {hint})
  }
  const code = damage.some(({area}) => area === 'conversations') ? 'conversation_corrupt' : 'file_corrupt'
  const what =
    damage.length === 1 ? 'One of these findings is damage.' : `${damage.length} of these findings are damage.`
  throw new JpError(code, what, {hint})
}
