import {type DoctorPlace, diagnoseStore, doctorPlace} from '../../bootstrap/doctor.js'
import {holderOf} from '../../bootstrap/launch.js'
import type {FixOutcome, Problem} from '../../platform/problem.js'
import {isTerminal} from '../../platform/terminal.js'
import {diagnoseSessions} from '../../session/diagnosis.js'
import {readKnownWorkspaces} from '../../workspace/known-workspaces.js'
import {diagnoseRegistry} from '../../workspace/registry-diagnosis.js'
import type {Invocation} from '../invocation.js'
import {createProgress} from '../progress.js'
import {type ConfigurationFindings, diagnoseConfiguration} from './configuration.js'
import {diagnoseFolders} from './folders.js'
import {diagnoseLeftovers} from './leftovers.js'
import {diagnoseAllPlugins} from './plugins.js'
import {diagnoseTools, gitVersion} from './tools.js'

/** What `jp doctor` looks at, in this order. */
export const areas = [
  'tools',
  'folders',
  'configuration',
  'providers',
  'registry',
  'conversations',
  'sessions',
  'plugins',
  'daemon',
  'leftovers',
] as const
export type Area = (typeof areas)[number]

/** One finding, as the JSON gives it. */
export type Finding = Omit<Problem, 'fix'> & {
  readonly area: Area
  /** Whether `--fix` puts it right. */
  readonly fixable: boolean
  readonly state: 'found' | FixOutcome
}

/** What was looked at. */
export type Examination = {
  readonly place: DoctorPlace
  /** Undefined when there is none. */
  readonly git: string | undefined
  /** Undefined when none is configured, or the configuration can't be read. */
  readonly model: string | undefined
  readonly findings: readonly Finding[]
}

/** What the command says. */
export type DoctorChoice = {
  readonly fix: boolean
  /** Ask no provider. */
  readonly offline: boolean
  /** Looks after the daemons of this user: another frontend's business. */
  diagnoseDaemons(this: void, dataDirectory: string): Promise<readonly Problem[]>
}

/**
 * Looks at everything that jp stands on (Q9, W20), a part after the other, with progress on a terminal (Q7). Writes
 * nothing unless `fix`.
 * @throws JpError as `doctorPlace`; with `fix` also `disk_full`, `file_unwritable`, `state_busy`.
 */
export const examine = async (invocation: Invocation, choice: DoctorChoice): Promise<Examination> => {
  const {output, globals} = invocation
  const progress = createProgress(output, {isTerminal: isTerminal(2), quiet: globals.quiet})
  const place = await doctorPlace(invocation)
  const [git, configuration] = await Promise.all([gitVersion(invocation), diagnoseConfiguration(invocation, place)])
  const fix = choice.fix && !globals.noPersist
  const findings: Finding[] = []
  for (const area of areas) {
    const {title, look} = checks(invocation, {place, git, configuration}, choice)[area]
    findings.push(...(await progress.step(title, async () => settle(area, await look(), fix))))
  }
  return {place, git, model: configuration.model, findings}
}

type Check = {readonly title: string; look(this: void): Promise<readonly Problem[]> | readonly Problem[]}

type Scene = Pick<Examination, 'place' | 'git'> & {readonly configuration: ConfigurationFindings}

const checks = (invocation: Invocation, scene: Scene, choice: DoctorChoice): Readonly<Record<Area, Check>> => {
  const {directories} = invocation
  const {place, git, configuration} = scene
  return {
    tools: {title: 'Tools', look: () => diagnoseTools(git)},
    folders: {title: 'Folders', look: () => diagnoseFolders(directories, place.silo)},
    configuration: {title: 'Configuration', look: () => configuration.problems},
    providers: {title: 'Providers', look: () => (choice.offline ? [] : configuration.reachProviders())},
    registry: {title: 'Registry of checkouts', look: () => diagnoseRegistry(directories.data)},
    conversations: {title: 'Conversations', look: () => diagnoseStore(invocation, place)},
    sessions: {title: 'Sessions', look: () => sessions(invocation, place)},
    plugins: {title: 'Plugins', look: () => diagnoseAllPlugins(invocation)},
    daemon: {title: 'Daemons', look: () => choice.diagnoseDaemons(directories.data)},
    leftovers: {title: 'Left-overs', look: () => diagnoseLeftovers(invocation, place)},
  }
}

const sessions = (invocation: Invocation, {silo}: DoctorPlace): readonly Problem[] => {
  const dataDirectory = invocation.directories.data
  const live = new Set(readKnownWorkspaces(dataDirectory).flatMap((known) => (known.live.length > 0 ? [known.id] : [])))
  return diagnoseSessions({dataDirectory, silo, holder: holderOf(invocation), hasLiveRoot: (id) => live.has(id)})
}

/** What is found is put right at once, so that the next part sees it as it is. */
const settle = async (area: Area, problems: readonly Problem[], fix: boolean): Promise<readonly Finding[]> => {
  const findings: Finding[] = []
  for (const {fix: repair, ...about} of problems) {
    const state = fix && repair !== undefined ? await repair() : 'found'
    findings.push({area, ...about, fixable: repair !== undefined, state})
  }
  return findings
}
