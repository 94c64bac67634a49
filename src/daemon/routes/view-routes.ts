import {json, type OwnedCall, ownerRoute, type Route} from '../route.js'
import {
  artifactsOf,
  commandsOf,
  contextOf,
  contextUsageOf,
  hooksOf,
  lspOf,
  statsOf,
  statusOf,
  tasksOf,
} from '../session-views.js'

const view = (name: string, summary: string, render: (owned: OwnedCall) => object): Route =>
  ownerRoute({
    method: 'GET',
    path: `/session/:id/${name}`,
    summary,
    run: (owned) => json(render(owned), name === 'stats' ? {'cache-control': 'no-store'} : {}),
  })

/** What can be read of a live session (D12). */
export const viewRoutes: readonly Route[] = [
  view('status', 'What the session is doing.', ({session, runtime}) => statusOf(session, runtime)),
  view('context', 'Its models, modes and options.', ({session, runtime}) => contextOf(session, runtime)),
  view('context-usage', 'How full its context window is.', ({session, runtime, call}) =>
    contextUsageOf(session, runtime, call.query.get('detail') === 'true'),
  ),
  view('stats', 'Prompts, tools and tokens so far.', ({session, runtime, daemon}) =>
    statsOf(session, runtime, daemon.clock.nowMs()),
  ),
  view('supported-commands', "The agent's commands.", ({session}) => commandsOf(session)),
  view('tasks', 'What runs in the background.', ({session, daemon}) => tasksOf(session, daemon.clock.nowMs())),
  view('lsp', 'Language servers.', ({session, runtime}) => lspOf(session, runtime)),
  view('hooks', 'Hooks.', ({session, runtime}) => hooksOf(session, runtime)),
  view('artifacts', 'Artifacts.', ({session, daemon}) => artifactsOf(session, daemon.clock.nowMs())),
]
