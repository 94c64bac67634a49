import type {Configuration} from '../../config/schema.js'
import {variable} from '../../platform/host-environment.js'
import {onSignal} from '../../platform/signals.js'
import {isTerminal} from '../../platform/terminal.js'
import {type BackgroundTasks, createBackgroundTasks} from '../../turn/background-tasks.js'
import type {PermissionAsker} from '../../turn/tools/permission.js'
import {createTurnControl, type TurnControl} from '../../turn/turn-control.js'
import type {TurnEvent, TurnSubscriber} from '../../turn/turn-event.js'
import {findEditor} from '../editor.js'
import {editText} from './edit-text.js'
import {createGate} from './gate.js'
import {createInterrupts} from './interrupts.js'
import {createLiveLine} from './live-line.js'
import type {QueryOptions} from './query-options.js'
import type {QueryScene} from './query-scene.js'
import {showTurn} from './show-turn.js'
import {createTerminalAsker} from './terminal-asker.js'

/** A turn as the terminal follows it: what it is told, and what it says. */
export interface TurnWatch {
  readonly control: TurnControl
  readonly subscriber: TurnSubscriber
  /** Undefined where nobody can be asked. */
  readonly asker: PermissionAsker | undefined
  /** What goes on beside the turn; Ctrl-C ends it with the turn. */
  readonly tasks: BackgroundTasks
  /** Stops listening to signals. */
  end(): void
}

/** Shows a turn (W29) and answers signals (W27): Ctrl-C asks, SIGTERM and SIGHUP keep what there is and end. */
export const watchTurn = (scene: QueryScene, config: Configuration, options: QueryOptions): TurnWatch => {
  const {output, prompter, ending, environment} = scene.invocation
  const control = createTurnControl()
  const gate = createGate()
  const live = createLiveLine(output, isTerminal(2) && variable(environment, 'TERM') !== 'dumb')
  /** A question has the screen to itself. */
  const hold = (): (() => void) => {
    live.stop()
    return gate.hold()
  }
  const tasks = createBackgroundTasks((text) => output.warn(text))
  const edit = (text: string, name: string): Promise<string> =>
    editText(text, name, {
      invocation: scene.invocation,
      settings: config.editor,
      cwd: scene.place.checkout.root,
    })
  const interrupts = createInterrupts({
    control,
    prompter,
    hold,
    edit: findEditor(config.editor, scene.invocation.environment) === undefined ? undefined : edit,
    note: (text) => output.note(text),
    kill: () => process.exit(130),
    settings: {
      cooldownMs: config.interrupt.escalation_cooldown_secs * 1000,
      streaming: config.interrupt.streaming,
      tools: config.interrupt.tool_call,
    },
  })
  const show = showTurn(scene, {config, options}, live)
  let hasEnded = false
  const stopListening = listen(control, () => {
    // Behind the end of the turn only a title is waited for: one press is enough.
    if (hasEnded) tasks.cancelAll()
    else interrupts.press()
  })
  control.signal.addEventListener('abort', () => tasks.cancelAll(), {once: true})
  const closed = (): void => control.stop('output_closed')
  ending.addEventListener('abort', closed, {once: true})
  if (ending.aborted) closed()
  return {
    control,
    tasks,
    asker: prompter === undefined ? undefined : createTerminalAsker({prompter, hold, edit}),
    async subscriber(event: TurnEvent) {
      interrupts.see(event)
      await gate.opened()
      await show(event)
      hasEnded ||= event.type === 'turn_ended'
    },
    end() {
      live.stop()
      stopListening()
      ending.removeEventListener('abort', closed)
    },
  }
}

/** The exit code of SIGQUIT (Q2). */
const quitCode = 131

const listen = (control: TurnControl, press: () => void): (() => void) => {
  const terminate = (code: number) => () => {
    if (control.stopped !== undefined) process.exit(code)
    process.exitCode = code
    control.stop('terminated')
  }
  const listeners = [
    onSignal('SIGINT', press),
    onSignal('SIGTERM', terminate(130)),
    onSignal('SIGHUP', terminate(130)),
    onSignal('SIGQUIT', terminate(quitCode)),
  ]
  return () => {
    for (const stop of listeners) stop()
  }
}
