import type {JpError} from '../errors/jp-error.js'
import type {Checkout} from '../workspace/checkout.js'
import type {Place} from '../workspace/discovery.js'
import type {KnownWorkspace} from '../workspace/known-workspaces.js'
import type {SelectionSource} from './execution-context.js'
import type {Target} from './target.js'

/** Everything that the choice of a checkout is made from (W8). Gathered first, so that the choice itself is pure. */
export type LadderFacts = {
  /** There is a terminal, and nobody forbade to ask (W9). Without, only exact targets count and no session does. */
  readonly interactive: boolean
  /** Interactive, and the level may ask: config-only never does (S7). */
  readonly mayAsk: boolean
  /** What the launch cwd lies in. An `unnamed` one that may be given an id comes as `inside` with that id. */
  readonly cwd: Place
  /** What `-w` names, with what its text lies in when it is a path, and the live checkouts that it is a part of. */
  readonly target: TargetFacts | undefined
  /** Undefined without a terminal or a session identity. The first entry is active. */
  readonly selection: {readonly history: readonly Selected[]; readonly sticky: boolean} | undefined
  readonly known: readonly KnownWorkspace[]
  /** The command that the user typed, acting in this checkout instead: for pasting. */
  readonly commandFor: (root: string) => string
}

/** A checkout that the session has selected. */
export type Selected = {readonly checkout: Checkout; readonly isLive: boolean}

/** An explicit target. */
export type TargetFacts = {
  readonly target: Target
  /** What the text lies in when read as a path. Only for a target of kind `text`. */
  readonly place: Place
  /** The live checkouts whose slug, id or path it is a part of. Only for a target of kind `text`. */
  readonly matches: readonly Checkout[]
}

/** What is written to the session's record when a checkout was chosen (W6). */
export type RecordChange =
  | {readonly kind: 'none'}
  | {readonly kind: 'select'; readonly sticky?: boolean; readonly gone?: Checkout}
  | {readonly kind: 'repair'; readonly gone: Checkout}

/** A chosen checkout. */
export type Chosen = {
  readonly kind: 'chosen'
  readonly checkout: Checkout
  readonly source: SelectionSource
  readonly record: RecordChange
}

/** A question; each answer carries what follows from it. */
export type Question = {
  readonly kind: 'ask'
  /** `keys`: a few answers with a key each. `search`: many, narrowed by typing. */
  readonly style: 'keys' | 'search'
  readonly message: string
  readonly answers: readonly Answer[]
}

/** One answer. */
export type Answer = {
  readonly key?: string
  readonly label: string
  readonly description?: string
  readonly leadsTo: Decision
}

/** What the ladder comes to. `none`: there is no workspace to act in. */
export type Decision = Chosen | Question | {readonly kind: 'fail'; readonly error: JpError} | {readonly kind: 'none'}
