import type {WorkspaceDescription} from '../bootstrap/describe-workspace.js'
import type {SelectionSource} from '../bootstrap/execution-context.js'
import type {Checkout} from '../workspace/checkout.js'
import type {KnownWorkspace} from '../workspace/known-workspaces.js'
import type {Column} from './table.js'

/** One line of `jp w ls` for people: a checkout, or a workspace that none is known of. */
export type WorkspaceRow = {
  readonly launch: boolean
  readonly id: string
  readonly name: string
  readonly checkout: string
  readonly lastUsed: string
}

/** The lines: live checkouts first, then those that are gone, which only people are shown. */
export const workspaceRows = (known: readonly KnownWorkspace[], launch: Checkout | undefined): WorkspaceRow[] =>
  known.flatMap(({id, slug, live, dead}) => {
    const row = (checkout: string, lastUsed: string): WorkspaceRow => ({
      launch: launch?.id === id && launch.root === checkout,
      id,
      name: slug ?? '',
      checkout,
      lastUsed,
    })
    const rows = [
      ...live.map(({path, last_used}) => row(path, last_used)),
      ...dead.map(({path, last_used}) => row(`${path} (gone)`, last_used)),
    ]
    return rows.length === 0 ? [row('(no checkouts)', '')] : rows
  })

/** The columns of `jp w ls`. */
export const workspaceColumns: readonly Column<WorkspaceRow>[] = [
  {title: '', text: ({launch}) => (launch ? '*' : ' ')},
  {title: 'ID', text: ({id}) => id},
  {title: 'Name', text: ({name}) => name},
  {title: 'Checkout', text: ({checkout}) => checkout},
  {title: 'Last used', text: ({lastUsed}) => lastUsed},
]

const sourceTexts: Readonly<Record<SelectionSource, string>> = {
  cwd: 'the folder you are in',
  path: 'the path given',
  id: 'the id given',
  selector: 'the name given',
  session: "this session's selection",
  picker: 'your choice',
}

/** The lines of `jp w show` for people. */
export const workspaceDetails = (workspace: WorkspaceDescription): (readonly [label: string, text: string])[] => {
  if (workspace.id === null) return [['Workspace', 'none here; see "jp w ls", or make one with "jp init"']]
  const roots = workspace.roots.map(
    ({path, last_used}) => `${path === workspace.root ? '*' : ' '} ${path}  ${last_used}`,
  )
  const gone = workspace.gone.map((path) => `  ${path} (gone)`)
  const shown = [...roots, ...gone]
  return [
    ['Workspace', workspace.slug === null ? workspace.id : `${workspace.slug} (${workspace.id})`],
    ['Root', workspace.root ?? 'none chosen'],
    ...(workspace.source === null ? [] : [['Resolved from', sourceTexts[workspace.source]] as const]),
    ['Sticky', workspace.sticky ? 'yes' : 'no'],
    ['Checkouts', shown.length === 0 ? 'none registered' : shown.join('\n')],
  ]
}
