import {JpError} from '../../errors/jp-error.js'
import type {Clock} from '../../platform/clock.js'
import type {Trace} from '../../platform/trace.js'
import type {ToPlugin} from '../../protocol/host-to-plugin.js'
import type {ToHost, ToHostOf} from '../../protocol/plugin-to-host.js'
import type {ListedWorkspace} from '../../workspace/known-workspaces.js'
import type {Addressing} from './addressing.js'
import {archiveConversation, listConversations, readEvents, setTitle} from './conversation-requests.js'
import type {DelegatedTurns} from './delegated-turns.js'
import {answerReadDraft, answerWriteDraft} from './draft-requests.js'
import {errorMessage} from './error-message.js'
import type {OpenWorkspace, OpenWorkspaces} from './open-workspace.js'
import type {Outbox, Outgoing} from './outbox.js'
import type {Answerer} from './session.js'
import {valueAt} from './workspace-configuration.js'

/** What answering stands on. */
export type AnswererDeps = {
  readonly addressing: Addressing
  readonly workspaces: OpenWorkspaces
  readonly turns: DelegatedTurns
  /** Asks the user; undefined where nobody can be asked. */
  compose(message: ToHostOf<'compose'>): Promise<ToPlugin>
  /** The known workspaces, for a multi-scope plugin; undefined for a single-scope one. */
  readonly listWorkspaces: (() => readonly ListedWorkspace[]) | undefined
  readonly clock: Clock
  readonly pid: number
  readonly trace: Trace
  readonly outbox: Outbox
}

/** What a plugin may ask of a checkout. */
type Addressed = Extract<ToHost, {workspace?: unknown}>

/**
 * Creates the one who answers. Each request is answered before the next line is handled, in its order; a turn and an
 * interrupt alone are answered when they end (P18).
 */
export const createAnswerer = (deps: AnswererDeps): Answerer => ({
  async answer(message) {
    const id = 'id' in message ? message.id : undefined
    try {
      const answer = await answerOne(deps, message)
      if (answer !== undefined) deps.outbox.send(withId(answer, id))
    } catch (error) {
      if (!(error instanceof JpError)) deps.trace.write('error', 'plugin', String(error), {request: message.type})
      deps.outbox.send(errorMessage({id, request: message.type}, error))
    }
  },
})

/** `id` stands behind `type`, so that a person who reads the lines finds it. */
const withId = (answer: Outgoing, id: string | undefined): Outgoing => {
  if (id === undefined) return answer
  const {type, ...rest} = answer
  return {type, id, ...rest} as Outgoing
}

const answerOne = async (deps: AnswererDeps, message: ToHost): Promise<Outgoing | undefined> => {
  switch (message.type) {
    case 'compose':
      return deps.compose(message)
    case 'list_workspaces':
      return listWorkspaces(deps)
    case 'ready':
    case 'print':
    case 'log':
    case 'describe':
    case 'exit':
      return undefined
    default:
      return answerAddressed(deps, message)
  }
}

const listWorkspaces = ({listWorkspaces: list}: AnswererDeps): ToPlugin => {
  if (list === undefined) {
    throw new JpError('workspace_not_allowed', 'A single-scope plugin acts in the workspace that init names.')
  }
  const data = list().map(({id, slug, launch, roots}) => ({id, slug, launch, roots: roots.map((root) => ({...root}))}))
  return {type: 'workspaces', data}
}

const answerAddressed = async (deps: AnswererDeps, message: Addressed): Promise<Outgoing | undefined> => {
  const workspace = await deps.workspaces.open(deps.addressing.checkoutOf(message.workspace))
  switch (message.type) {
    case 'list_conversations':
      return listConversations(workspace)
    case 'read_events':
      return readEvents(workspace, message, deps.pid)
    case 'read_config':
      return readConfig(workspace, message)
    case 'list_configs':
      return {type: 'configs', data: [...(await workspace.configuration.listNamed())]}
    case 'archive_conversation':
      return archiveConversation(workspace, message)
    case 'set_title':
      return setTitle(workspace, message)
    case 'read_draft':
      return answerReadDraft(workspace, message)
    case 'write_draft':
      return answerWriteDraft(workspace, message)
    case 'query':
      return deps.turns.start(workspace, message)
    case 'interrupt':
      return deps.turns.interrupt(workspace, message)
  }
}

const readConfig = async (
  {configuration}: OpenWorkspace,
  {path, reload}: ToHostOf<'read_config'>,
): Promise<ToPlugin> => {
  const config = await configuration.read(reload === true)
  if (path === undefined) return {type: 'config', data: config}
  return {type: 'config', path, data: valueAt(config, path)}
}
