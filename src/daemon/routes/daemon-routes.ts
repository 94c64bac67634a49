import {JpError} from '../../errors/jp-error.js'
import {capabilitiesOf, daemonStatusOf} from '../capabilities.js'
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
]
