import type {SessionModeState, ToolKind} from '@agentclientprotocol/sdk'

/** How far a session asks before a tool runs. What configuration denies stays denied in every mode. */
export const modes = [
  {
    id: 'plan',
    name: 'Plan',
    description: 'Nothing is changed: files are read and searched, every other tool is refused.',
  },
  {id: 'ask', name: 'Ask', description: 'Tools run as the configuration says; what it leaves open is asked.'},
  {id: 'accept-edits', name: 'Accept edits', description: 'Changes of files in the checkout are not asked about.'},
  {
    id: 'auto',
    name: 'Auto',
    description:
      'Files in the checkout are read and changed without a question; commands and other tools are asked about.',
  },
  {id: 'unattended', name: 'Unattended', description: 'Nothing is asked: every tool that is not denied runs.'},
] as const satisfies readonly {readonly id: string; readonly name: string; readonly description: string}[]

/** The id of a mode. */
export type ModeId = (typeof modes)[number]['id']

/** The mode with this id, or undefined. */
export const findMode = (id: string): ModeId | undefined => modes.find((mode) => mode.id === id)?.id

/** The modes as `session/new` gives them. */
export const modeState = (current: ModeId): SessionModeState => ({
  currentModeId: current,
  availableModes: modes.map((mode) => ({...mode})),
})

const reading: readonly ToolKind[] = ['read', 'search']

/** The kinds of calls that run without being asked about. */
const allowed = {
  plan: [],
  ask: [],
  'accept-edits': ['edit'],
  auto: [...reading, 'edit'],
  unattended: 'all',
} as const satisfies Record<ModeId, readonly ToolKind[] | 'all'>

/** Whether a call of this kind runs without being asked about. */
export const modeAllows = (mode: ModeId, kind: ToolKind): boolean => {
  const kinds: readonly ToolKind[] | 'all' = allowed[mode]
  return kinds === 'all' || kinds.includes(kind)
}

/** Why a call of this kind must not run, whatever the configuration and the user say; undefined when it may. */
export const modeRefuses = (mode: ModeId, kind: ToolKind): string | undefined =>
  mode === 'plan' && !reading.includes(kind) ? 'the session only plans: nothing may be changed' : undefined
