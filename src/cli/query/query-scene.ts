import type {ExecutionContext} from '../../bootstrap/execution-context.js'
import {openConversations} from '../../bootstrap/open-conversations.js'
import {createTargetScene} from '../../bootstrap/target-scene.js'
import type {TargetScene} from '../../conversation/resolve-target.js'
import type {ConversationStore} from '../../conversation/store.js'
import type {ConversationId} from '../../platform/id-grammar.js'
import {recordActivation} from '../../session/conversation-history.js'
import {findSession} from '../../session/identity.js'
import type {TurnPlace} from '../../turn/turn-place.js'
import type {Invocation} from '../invocation.js'

/** What a query acts in: a checkout with its conversations, and the session with its history. */
export type QueryScene = {
  readonly invocation: Invocation
  readonly place: TurnPlace
  readonly store: ConversationStore
  readonly targets: TargetScene
  /** This session, as lock files name it. */
  readonly session: string | undefined
  /** Makes a conversation the one that this session is in. */
  activate(id: ConversationId): Promise<void>
}

/** Looks at the session and opens the conversations of a checkout. */
export const openQueryScene = async (invocation: Invocation, context: ExecutionContext): Promise<QueryScene> => {
  const {environment, clock, directories, globals, prompter, output} = invocation
  const {checkout, silo, configCwd, launchCwd} = context
  const session = await findSession(environment)
  const store = openConversations(context, {clock, directories, environment, output, session: session?.key})
  return {
    invocation,
    place: {checkout, silo, configCwd, launchCwd, environment, directories},
    store,
    session: session?.key,
    targets: createTargetScene({store, silo, session, prompter, readIds: () => Promise.resolve([])}),
    async activate(id) {
      if (silo === undefined || session === undefined || globals.noPersist) return
      await recordActivation({silo, clock, pid: environment.pid}, session, id)
    },
  }
}
