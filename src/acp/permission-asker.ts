import type {PermissionOption, ToolCallUpdate} from '@agentclientprotocol/sdk'
import type {PermissionAnswer, PermissionAsker, PermissionQuestion} from '../turn/tools/permission.js'
import type {CallDisplays} from './call-displays.js'
import {type ClientPort, choiceOf} from './client-port.js'
import {type ModeId, modeAllows, modeRefuses} from './modes.js'
import type {ToolCallIds} from './tool-call-ids.js'
import {answerToolQuestion} from './tool-question.js'
import {toolKind, toolView} from './tool-view.js'
import {textContent} from './turn-updates.js'

/** What asking depends on. */
export type AskerDeps = {
  readonly client: ClientPort
  readonly ids: ToolCallIds
  readonly root: string
  /** The mode that the session is in now: it may change while a turn runs. */
  mode(): ModeId
  builtInOf(name: string): string | undefined
  readonly displays: CallDisplays
}

/** Asks the client's user about tool calls (W26), as far as the session's mode leaves anything to ask. */
export const createPermissionAsker = (deps: AskerDeps): PermissionAsker => ({
  async ask(question, signal) {
    const kind = toolKind(deps.builtInOf(question.call.name))
    if (question.about === 'run' && modeAllows(deps.mode(), kind)) return {decision: 'allow', always: false}
    return answerOf(
      await choiceOf(deps.client, {toolCall: shownCall(question, deps), options: optionsFor(question)}, signal),
    )
  },
  refuses: (tool) => modeRefuses(deps.mode(), toolKind(deps.builtInOf(tool))),
  async answer(question, signal) {
    const value = await answerToolQuestion(question, deps.client, signal)
    return value === undefined ? undefined : {value}
  },
})

const shownCall = ({call, about, shown}: PermissionQuestion, deps: AskerDeps): ToolCallUpdate => ({
  toolCallId: deps.ids.of(call.id),
  name: call.name,
  ...toolView({name: call.name, builtIn: deps.builtInOf(call.name), arguments: call.arguments}, deps.root),
  status: about === 'run' ? 'pending' : 'in_progress',
  rawInput: call.arguments,
  ...(about === 'run' && deps.displays.has(call.id) ? {} : {content: [textContent(shown)]}),
})

const optionsFor = ({about, always}: PermissionQuestion): PermissionOption[] => [
  {optionId: 'allow', name: about === 'run' ? 'Allow' : 'Give it to the model', kind: 'allow_once'},
  ...(always === undefined
    ? []
    : [{optionId: 'always', name: `Always allow ${always}`, kind: 'allow_always' as const}]),
  {optionId: 'reject', name: about === 'run' ? 'Reject' : 'Keep it back', kind: 'reject_once'},
]

/** Whatever is not a yes is a no. */
const answerOf = (chosen: string): PermissionAnswer =>
  chosen === 'allow' || chosen === 'always'
    ? {decision: 'allow', always: chosen === 'always'}
    : {decision: 'deny', reason: undefined}
