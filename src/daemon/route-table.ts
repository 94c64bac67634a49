import type {Route} from './route.js'
import {daemonRoutes} from './routes/daemon-routes.js'
import {eventRoutes} from './routes/event-routes.js'
import {listRoutes} from './routes/list-routes.js'
import {sessionRoutes} from './routes/session-routes.js'
import {viewRoutes} from './routes/view-routes.js'

/** Every route of the daemon: what it serves, what it documents, and what the table test goes through. */
export const routeTable: readonly Route[] = [
  ...daemonRoutes,
  ...sessionRoutes,
  ...eventRoutes,
  ...viewRoutes,
  ...listRoutes,
]
