import {JpError} from '../errors/jp-error.js'
import type {LiveSession} from './live-session.js'
import {optionOf} from './session-facts.js'

/** What a client wishes of a new session beside its place. */
export type SessionWishes = {readonly approvalMode?: string; readonly modelServiceId?: string}

/** Names of approval modes that agents spell otherwise. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  default: ['default', 'ask'],
  plan: ['plan', 'deny', 'read-only'],
  'auto-edit': ['auto-edit', 'accept-edits', 'acceptEdits'],
  auto: ['auto'],
  yolo: ['yolo', 'unattended', 'bypassPermissions'],
}

/**
 * Sets mode and model where the agent offers them. What it has no word for is left as it is (D30).
 * @throws JpError `agent_failed`.
 */
export const applyWishes = async (session: LiveSession, wishes: SessionWishes): Promise<void> => {
  const {approvalMode, modelServiceId} = wishes
  const modes = session.facts.state.modes?.availableModes ?? []
  const mode = modes.find(({id}) => (otherNames[approvalMode ?? ''] ?? []).includes(id))
  if (mode !== undefined && mode.id !== session.facts.currentModeId) await session.setMode(mode.id)
  if (modelServiceId !== undefined && canSetModel(session)) await session.setModel(modelServiceId)
}

const canSetModel = ({facts}: LiveSession): boolean => optionOf(facts.state, 'model') !== undefined

/** Changes the model of a session. @throws JpError `not_supported`, `agent_failed`. */
export const setModel = async (session: LiveSession, modelId: string): Promise<void> => {
  if (!canSetModel(session)) {
    throw new JpError('not_supported', 'The agent lets no one choose a model.', {details: {sessionId: session.id}})
  }
  await session.setModel(modelId)
}
