import type {SessionModeState, ToolKind} from '@agentclientprotocol/sdk'

/** How far a session asks before a tool runs. What configuration denies stays denied in every mode. */
export const modes = [
  {id: 'ask', name: 'Ask', description: 'Tools run as the configuration says; what it leaves open is asked.'},
  {id: 'accept-edits', name: 'Accept edits', description: 'Changes of files in the checkout are not asked about.'},
  {id: 'unattended', name: 'Unattended', description: 'Nothing is asked: every tool that is not denied runs.'},
] as const

/** The id of a mode. */
export type ModeId = (typeof modes)[number]['id']

/** The mode with this id, or undefined. */
export const findMode = (id: string): ModeId | undefined => modes.find((mode) => mode.id === id)?.id

/** The modes as `session/new` gives them. */
export const modeState = (current: ModeId): SessionModeState => ({
  currentModeId: current,
  availableModes: modes.map((mode) => ({...mode})),
})

/** Whether a call of this kind runs without being asked about. */
export const modeAllows = (mode: ModeId, kind: ToolKind): boolean =>
  mode === 'unattended' || (mode === 'accept-edits' && kind === 'edit')
