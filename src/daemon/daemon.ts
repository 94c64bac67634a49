import type {Clock} from '../platform/clock.js'
import type {Trace} from '../platform/trace.js'
import type {Admission} from './admission.js'
import type {SessionLimits} from './live-session.js'
import type {SessionOpener} from './open-session.js'
import type {Organization} from './organization.js'
import type {PageLinks} from './page-links.js'
import type {WorkspaceRegistry} from './registry.js'
import type {SessionClaims} from './session-claims.js'

/** What the routes work with: one a process, put together in `serve.ts`. */
export type Daemon = {
  readonly registry: WorkspaceRegistry
  readonly admission: Admission
  readonly claims: SessionClaims
  readonly opener: SessionOpener
  readonly limits: SessionLimits
  readonly links: PageLinks
  /** How the user has ordered the sessions of the primary. */
  readonly organization: Organization
  readonly clock: Clock
  readonly log: Trace
  readonly version: string
  readonly pid: number
  readonly startedAtMs: number
  readonly security: {
    readonly tokenConfigured: boolean
    readonly requireAuth: boolean
    readonly loopbackBind: boolean
  }
  /** Where it listens: `http://127.0.0.1:4170`. */
  readonly url: () => string
  /** Memory of this process. Unit: bytes. */
  memory(): {readonly rss: number; readonly heapUsed: number}
}
