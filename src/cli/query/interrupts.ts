import {hasCode} from '../../errors/jp-error.js'
import {monotonicMs} from '../../platform/clock.js'
import type {Prompter} from '../../platform/prompter.js'
import type {TurnControl} from '../../turn/turn-control.js'
import type {TurnEvent} from '../../turn/turn-event.js'

/** What the answers to Ctrl-C stand on. */
export type InterruptDeps = {
  readonly control: TurnControl
  /** Undefined where nobody may be asked: then the first press stops. */
  readonly prompter: Prompter | undefined
  /** Holds the output back; gives the function that lets it go. */
  hold(): () => void
  /** Has a text written in the editor; undefined where there is none. */
  readonly edit: ((text: string, name: string) => Promise<string>) | undefined
  /** Tells the person something. */
  note(text: string): void
  /** Ends the process at once. */
  kill(): void
  readonly settings: InterruptSettings
}

/** `interrupt` of the configuration. */
export type InterruptSettings = {
  /** Within this time a second press stops, whatever the first one was answered with. Unit: milliseconds. */
  readonly cooldownMs: number
  readonly streaming: {readonly action: 'prompt' | StreamAction; readonly compose_in_editor: boolean}
  readonly tools: {readonly action: 'prompt' | ToolAction; readonly compose_in_editor: boolean}
}

type StreamAction = 'continue' | 'reply' | 'stop' | 'abort'
type ToolAction = 'continue' | 'respond' | 'restart' | 'stop'

/** Answers the presses of Ctrl-C during a turn (W27). */
export interface Interrupts {
  press(): void
  /** Follows the turn, to know what runs. */
  see(event: TurnEvent): void
}

/** The first press asks, without delaying the second; the second stops the turn; the third kills. */
export const createInterrupts = (deps: InterruptDeps): Interrupts => {
  const {control, prompter} = deps
  const running = new Set<string>()
  let question: AbortController | undefined
  let lastPressMs = Number.NEGATIVE_INFINITY

  const stop = (): void => {
    control.stop('user')
    question?.abort()
  }
  const abort = (): void => {
    control.abort()
    question?.abort()
  }

  const ask = async (asker: Prompter, signal: AbortSignal): Promise<void> => {
    const {streaming, tools} = deps.settings
    const inTools = running.size > 0
    const {action, compose_in_editor: inEditor} = inTools ? tools : streaming
    const answer = action === 'prompt' ? await choose(asker, {inTools, signal}) : action
    if (answer === 'stop') return stop()
    if (answer === 'abort') return abort()
    if (answer === 'restart') return control.restart()
    if (answer === 'continue') return
    const words = inEditor && deps.edit !== undefined ? await compose(deps.edit) : await writeLine(asker, signal)
    if (words === '') return
    // The tool may have ended while the message was written.
    if (running.size > 0) control.respond(words)
    else control.reply(words)
  }

  const writeLine = async (asker: Prompter, signal: AbortSignal): Promise<string> =>
    (await asker.input({message: 'Your message:', signal})).trim()

  /** An editor that fails wrote nothing, and the turn goes on. */
  const compose = async (edit: NonNullable<InterruptDeps['edit']>): Promise<string> => {
    try {
      return (await edit('', 'REPLY.md')).trim()
    } catch (error) {
      if (!hasCode(error, 'child_failed')) throw error
      deps.note(error.message)
      return ''
    }
  }

  const openQuestion = (asker: Prompter): void => {
    const release = deps.hold()
    const controller = new AbortController()
    question = controller
    ask(asker, controller.signal)
      // Ctrl-C inside the question is the second press.
      .catch((error: unknown) => {
        stop()
        if (!hasCode(error, 'interrupted')) throw error
      })
      .finally(() => {
        question = undefined
        release()
      })
  }

  return {
    press() {
      const nowMs = monotonicMs()
      const again = nowMs - lastPressMs < deps.settings.cooldownMs
      lastPressMs = nowMs
      if (control.stopped !== undefined) deps.kill()
      else if (prompter === undefined || question !== undefined || again) stop()
      else openQuestion(prompter)
    },
    see(event) {
      if (event.type === 'tool_call_started') running.add(event.id)
      if (event.type === 'tool_call_ended') running.delete(event.id)
    },
  }
}

const choose = async (
  asker: Prompter,
  {inTools, signal}: {readonly inTools: boolean; readonly signal: AbortSignal},
): Promise<StreamAction | ToolAction> =>
  inTools
    ? asker.choose<ToolAction>({message: 'A tool is running.', signal, choices: toolChoices})
    : asker.choose<StreamAction>({message: 'The answer is being written.', signal, choices: streamChoices})

const streamChoices = [
  {value: 'continue', key: 'c', label: 'Continue'},
  {value: 'reply', key: 'r', label: 'Reply: end this answer and say something'},
  {value: 'stop', key: 's', label: 'Stop the turn; what came is kept'},
  {value: 'abort', key: 'a', label: 'Abort the turn; what is being written is dropped'},
] as const

const toolChoices = [
  {value: 'continue', key: 'c', label: 'Continue'},
  {value: 'respond', key: 'r', label: 'Answer in place of the tool'},
  {value: 'restart', key: 't', label: 'Start it again'},
  {value: 'stop', key: 's', label: 'Stop the turn; what came is kept'},
] as const
