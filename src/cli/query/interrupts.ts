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
  /** Ends the process at once. */
  kill(): void
  readonly settings: InterruptSettings
}

/** `interrupt` of the configuration, as far as the first press goes. */
export type InterruptSettings = {
  /** Within this time a second press stops, whatever the first one was answered with. Unit: milliseconds. */
  readonly cooldownMs: number
  readonly streaming: 'prompt' | 'continue' | 'stop' | 'abort' | 'reply'
  readonly tools: 'prompt' | 'continue' | 'restart' | 'respond' | 'stop'
}

/** Answers the presses of Ctrl-C during a turn (W27). */
export interface Interrupts {
  press(): void
  /** Follows the turn, to know what runs. */
  see(event: TurnEvent): void
}

type Answer = 'continue' | 'reply' | 'stop'

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

  const ask = async (asker: Prompter, signal: AbortSignal): Promise<void> => {
    const action = running.size > 0 ? deps.settings.tools : deps.settings.streaming
    const answer = action === 'prompt' ? await choose(asker, running.size > 0, signal) : answerOf(action)
    if (answer === 'stop') stop()
    if (answer !== 'reply') return
    const words = (await asker.input({message: 'Your message:', signal})).trim()
    if (words === '') return
    if (running.size > 0) control.respond(words)
    else control.reply(words)
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

const choose = (asker: Prompter, inTools: boolean, signal: AbortSignal): Promise<Answer> =>
  asker.choose<Answer>({
    message: inTools ? 'A tool is running.' : 'The answer is being written.',
    signal,
    choices: [
      {value: 'continue', key: 'c', label: 'Continue'},
      {
        value: 'reply',
        key: 'r',
        label: inTools ? 'Answer in place of the tool' : 'Reply: end this answer and say something',
      },
      {value: 'stop', key: 's', label: 'Stop the turn; what came is kept'},
    ],
  })

const answerOf = (action: string): Answer => {
  if (action === 'reply' || action === 'respond') return 'reply'
  return action === 'stop' || action === 'abort' ? 'stop' : 'continue'
}
