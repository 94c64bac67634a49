import {JpError} from '../../errors/jp-error.js'
import {capabilitiesOf, daemonStatusOf} from '../capabilities.js'
import {pageCookie} from '../guard.js'
import {pageHeaders, pageOf} from '../page.js'
import {linkLifeMs} from '../page-links.js'
import {json, type Route} from '../route.js'

const detailOf = (text: string | null): 'summary' | 'full' => {
  if (text === null || text === 'summary') return 'summary'
  if (text === 'full') return 'full'
  throw new JpError('invalid_detail', '`detail` must be "summary" or "full".')
}

/** What is about the daemon itself (D20, D21, D23). */
export const daemonRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/health',
    scope: 'daemon',
    summary: 'Says that the daemon is there.',
    run: () => json({status: 'ok'}),
  },
  {
    method: 'GET',
    path: '/capabilities',
    scope: 'daemon',
    summary: 'What the daemon does, and for which workspaces.',
    run: (_, daemon) => json(capabilitiesOf(daemon)),
  },
  {
    method: 'GET',
    path: '/daemon/status',
    scope: 'daemon',
    summary: 'Counters over all workspaces.',
    run: (call, daemon) => json(daemonStatusOf(daemon, detailOf(call.query.get('detail')))),
  },
  {
    method: 'GET',
    path: '/openapi.json',
    scope: 'daemon',
    summary: 'This interface as OpenAPI 3.1.',
    async run(_, daemon) {
      const [{openApiOf}, {routeTable}] = await Promise.all([import('../openapi.js'), import('../route-table.js')])
      return json(openApiOf(routeTable, daemon.version))
    },
  },
  {
    method: 'POST',
    path: '/daemon/links',
    scope: 'daemon',
    summary: 'A link that opens the page of this daemon in a browser, once.',
    body: 'nothing',
    run: (_, {links, url}) => json({url: `${url()}/open/${links.issue()}`, expiresInMs: linkLifeMs}),
  },
  {
    method: 'GET',
    path: '/open/:code',
    scope: 'daemon',
    summary: 'Uses such a link up.',
    run(call, {links}) {
      const cookie = links.redeem(call.params['code'] ?? '')
      if (cookie === undefined) throw new JpError('route_not_found', 'This link has been used, or its time is over.')
      const attributes = 'HttpOnly; SameSite=Strict; Path=/'
      return {status: 303, headers: {location: '/', 'set-cookie': `${pageCookie}=${cookie}; ${attributes}`}}
    },
  },
  {
    method: 'GET',
    path: '/',
    scope: 'daemon',
    summary: 'A page for people: workspaces, sessions, and what waits for an answer.',
    run: (_, daemon) => ({text: pageOf(daemon), headers: pageHeaders}),
  },
]
