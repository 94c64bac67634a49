import type {ConversationEntry} from '../../conversation/entry.js'
import {resolveTarget} from '../../conversation/resolve-target.js'
import {type ConversationTarget, parseDefaultId, parseTarget} from '../../conversation/target.js'
import {hasCode, JpError} from '../../errors/jp-error.js'
import type {ConversationId} from '../../platform/id-grammar.js'
import type {QueryOptions} from './query-options.js'
import type {QueryScene} from './query-scene.js'

/** What a query goes on with. `isDefault`: nobody named it, so it is said. */
export type Chosen =
  | {readonly kind: 'new'; readonly isDefault: boolean}
  | {readonly kind: 'existing'; readonly id: ConversationId}

/**
 * Chooses the conversation (W23): what the flags name, else the session's, else `conversation.default_id`, else a new one.
 * @param defaultId gives the setting; `ask` brings the picker on a terminal.
 * @throws JpError those of a target that names nothing.
 */
export const chooseConversation = async (
  scene: QueryScene,
  wanted: QueryOptions['conversation'],
  defaultId: () => Promise<string | undefined>,
): Promise<Chosen> => {
  if (wanted.kind === 'new') return {kind: 'new', isDefault: false}
  if (wanted.kind === 'target') return {kind: 'existing', id: await lookUp(scene, parseTarget(wanted.target))}
  const active = scene.targets.active
  if (active !== undefined) return {kind: 'existing', id: active}
  const setting = await defaultId()
  if (setting === undefined) return {kind: 'new', isDefault: true}
  const target = parseDefaultId(setting)
  if (target === undefined) return pickOrNew(scene)
  try {
    return {kind: 'existing', id: await lookUp(scene, target)}
  } catch (error) {
    // A rule such as "last" names nothing in a workspace without conversations.
    if (target.kind === 'rule' && hasCode(error, 'conversation_not_found')) return {kind: 'new', isDefault: true}
    throw error
  }
}

const lookUp = async (scene: QueryScene, target: ConversationTarget): Promise<ConversationId> => {
  if (target.kind === 'help' || target.kind === 'stdin' || target.kind === 'all') {
    throw new JpError('conversation_target_invalid', 'A query goes on with one conversation.', {
      hint: 'Name it by its id, the beginning of its title, or a rule: see "jp help targets".',
    })
  }
  const [entry] = await resolveTarget(scene.targets, target)
  if (entry !== undefined) return entry.id
  throw new JpError('conversation_not_found', 'That target names no conversation.', {hint: 'See "jp conversation ls".'})
}

/** `default_id = "ask"`: the picker, which offers a new one too. */
const pickOrNew = async ({targets, invocation: {prompter}}: QueryScene): Promise<Chosen> => {
  const entries = targets.live()
  if (prompter === undefined || entries.length === 0) return {kind: 'new', isDefault: true}
  const id = await prompter.search<ConversationId | undefined>({
    message: 'Which conversation?',
    choices: [{value: undefined, label: 'Start a new conversation'}, ...entries.toReversed().map(choiceOf)],
  })
  return id === undefined ? {kind: 'new', isDefault: false} : {kind: 'existing', id}
}

const choiceOf = ({id, metadata}: ConversationEntry) => ({value: id, label: `${id}  ${metadata.title ?? '(no title)'}`})
