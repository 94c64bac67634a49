import {type Route, unsupportedRoute} from './route.js'
import {daemonRoutes} from './routes/daemon-routes.js'
import {eventRoutes} from './routes/event-routes.js'
import {listRoutes} from './routes/list-routes.js'
import {openingRoutes} from './routes/opening-routes.js'
import {primaryRoutes} from './routes/primary-routes.js'
import {sessionRoutes} from './routes/session-routes.js'
import {shelfRoutes} from './routes/shelf-routes.js'
import {viewRoutes} from './routes/view-routes.js'

/** What clients of the contract may ask for, and no workspace serves (D22). */
const unsupportedRoutes: readonly Route[] = [
  unsupportedRoute('POST', '/session/:id/cd'),
  unsupportedRoute('POST', '/session/:id/shell'),
  unsupportedRoute('POST', '/session/:id/language'),
  unsupportedRoute('GET', '/acp'),
  unsupportedRoute('POST', '/acp'),
  unsupportedRoute('DELETE', '/acp'),
]

/** Every route of the daemon: what it serves, what it documents, and what the table test goes through. */
export const routeTable: readonly Route[] = [
  ...daemonRoutes,
  ...openingRoutes,
  ...sessionRoutes,
  ...eventRoutes,
  ...viewRoutes,
  ...listRoutes,
  ...primaryRoutes,
  ...shelfRoutes,
  ...unsupportedRoutes,
]
