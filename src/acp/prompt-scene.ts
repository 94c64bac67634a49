import type {PermissionAsker} from '../turn/tools/permission.js'
import {ownHands, type ToolHands} from '../turn/tools/tool-hands.js'
import type {TurnControl} from '../turn/turn-control.js'
import type {TurnSubscriber} from '../turn/turn-event.js'
import {createCallDisplays} from './call-displays.js'
import {createClientFiles} from './client-files.js'
import type {ClientPort} from './client-port.js'
import {createClientTerminal} from './client-terminal.js'
import {differenceOf} from './difference.js'
import {createPermissionAsker} from './permission-asker.js'
import type {Session} from './session.js'
import {createTurnUpdates} from './turn-updates.js'

/** What a turn has of its client: someone who watches, who decides, and whose files and terminals it uses. */
export type PromptScene = {
  readonly watch: TurnSubscriber
  readonly asker: PermissionAsker
  readonly hands: ToolHands
  /** Tells of something beside the answer: to the client where it shows notices, warnings to stderr else. */
  readonly tell: (severity: 'info' | 'warning', title: string) => Promise<void>
}

/** What a scene is made from. */
export type SceneDeps = {
  readonly session: Session
  readonly client: ClientPort
  readonly control: TurnControl
  /** Tells what the client can't show, on stderr. */
  readonly warn: (text: string) => void
}

/** Creates the scene of one prompt. */
export const createPromptScene = ({session, client, control, warn}: SceneDeps): PromptScene => {
  const {root} = session.at.place.checkout
  const ids = session.toolCallIds
  const displays = createCallDisplays()
  const builtInOf = (name: string): string | undefined => session.builtInOf(name)
  const files = createClientFiles(client, ownHands.files)
  const tell = async (severity: 'info' | 'warning', title: string): Promise<void> => {
    if (client.capabilities.session?.notices) await client.update({sessionUpdate: 'notice', severity, title})
    else if (severity === 'warning') warn(title)
  }
  const show = async (callId: string, terminalId: string): Promise<void> => {
    displays.set(callId, 'terminal')
    const content = [{type: 'terminal' as const, terminalId}]
    await client.update({sessionUpdate: 'tool_call_update', toolCallId: ids.of(callId), content})
  }
  return {
    tell,
    hands: {files, run: client.capabilities.terminal === true ? createClientTerminal({client, show}) : ownHands.run},
    asker: createPermissionAsker({client, ids, root, mode: () => session.mode, builtInOf, displays}),
    watch: createTurnUpdates({
      root,
      ids,
      builtInOf,
      displays,
      tell,
      send: (update) => client.update(update),
      async differenceOf({id, name, arguments: args}) {
        const call = {name, builtIn: builtInOf(name), arguments: args}
        const difference = await differenceOf(call, {root, files, signal: control.signal})
        displays.set(id, difference.length > 0 ? 'difference' : undefined)
        return difference
      },
    }),
  }
}
