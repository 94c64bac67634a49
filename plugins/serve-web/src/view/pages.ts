import type {Fields, LastRoot, ListedConversation} from '../../../sdk/src/client.js'
import type {Place} from '../places.js'
import type {Failure} from '../turns.js'
import {composer, whereNew, whereNext} from './composer.js'
import {type Html, html} from './html.js'
import {page} from './layout.js'
import {time} from './time.js'
import {type TurnState, transcript} from './transcript.js'

/** Where a page stands. */
export type Site = {readonly places: readonly Place[]; readonly place: Place}

const siblings = ({places, place}: Site): readonly Place[] =>
  places.filter(({workspace}) => workspace.id === place.workspace.id)

/** The conversations of a checkout, the latest first. */
export const listPage = (site: Site, conversations: readonly ListedConversation[]): string => {
  const latestFirst = conversations.toSorted((left, right) =>
    left.last_activated_at < right.last_activated_at ? 1 : -1,
  )
  const rows = latestFirst.map(
    ({id, title, last_activated_at: at, last_root: record}) =>
      html`<li><a href="${site.place.url}/${id}">${title ?? id}</a> ${time(at)}${ranElsewhere(record, site.place)}</li>`,
  )
  const body = html`<h1>Conversations</h1>${rows.length === 0 ? html`<p>There are none yet.</p>` : html`<ul class="list">${rows}</ul>`}`
  return page({title: 'Conversations', ...site, body})
}

const ranElsewhere = (record: LastRoot | undefined, {root}: Place): Html | undefined =>
  record === undefined || record.path === root
    ? undefined
    : html` <span class="ran">last ran in ${record.path}${!record.live && ' (gone)'}</span>`

/** A new conversation that could not be begun: what went wrong, and what was asked for, so that nobody types it again. */
export type Refused = {readonly failure: Failure | undefined; readonly title: string}

/** A form for a new conversation; with what went wrong, in the checkout that was chosen. */
export const newPage = (site: Site, refused?: Refused): string => {
  const failure = refused?.failure
  const form = composer({
    action: `${site.place.url}/new`,
    content: failure?.content ?? '',
    title: refused?.title ?? '',
    where: whereNew(site.place, siblings(site)),
  })
  return page({title: 'New conversation', ...site, body: html`<h1>New conversation</h1>${failureNote(failure)}${form}`})
}

/** A conversation as it is now. */
export type Shown = {
  readonly id: string
  readonly title: string | undefined
  readonly events: readonly Fields[]
  readonly state: TurnState
  readonly lastRoot: LastRoot | undefined
  readonly failure: Failure | undefined
  readonly draft: {readonly content: string; readonly revision: string | undefined}
  readonly all: boolean
}

/** What a stream replaces in a page: what was said, how it stands, and where it goes on by the record as it is now. */
export type LiveParts = {readonly transcript: Html; readonly status: Html; readonly where: Html}

export const conversationPage = (site: Site, shown: Shown): string => {
  const {id, title, state, failure, draft} = shown
  const url = `${site.place.url}/${id}`
  const parts = liveParts(site, shown)
  const form = composer({
    action: `${url}/turn`,
    content: failure?.content ?? draft.content,
    title: undefined,
    where: parts.where,
    draft: {url: `${url}/draft`, revision: draft.revision},
  })
  const body = html`<h1>${title ?? id}</h1>
<details class="manage"><summary>Title and archive</summary>
<form method="post" action="${url}/title"><label for="new-title">Title</label><input id="new-title" name="title" value="${title ?? ''}" autocomplete="off"><button>Save the title</button></form>
<form method="post" action="${url}/archive"><button>Archive</button></form></details>
<section id="live" data-live="${url}/live${shown.all && '?all=1'}" data-failure="${failure?.code ?? ''}" aria-live="polite"><div class="transcript">${parts.transcript}</div><div class="status">${parts.status}</div></section>
<form method="post" action="${url}/stop" class="stop"><button>Stop</button></form>
${form}`
  return page({title: title ?? id, ...site, state, body})
}

/** The parts of a conversation that change by themselves. */
export const liveParts = (site: Site, {events, state, failure, lastRoot, all}: Omit<Shown, 'draft'>): LiveParts => ({
  transcript: transcript(events, {all}),
  status: html`<p class="state" role="status">${stateTexts[state]}</p>${failureNote(failure)}`,
  where: whereNext(lastRoot, siblings(site)),
})

const stateTexts = {
  none: '',
  running: 'Working… What you send now is a reply.',
  elsewhere: 'A turn runs in another program.',
  finished: '',
  unfinished: 'The last turn did not finish.',
} as const satisfies Record<TurnState, string>

const failureNote = (failure: Failure | undefined): Html | undefined =>
  failure && html`<p class="failure" role="alert">${failure.message} <code>${failure.code}</code></p>`

/** A page for what went wrong with a request. */
export const problemPage = (places: readonly Place[], title: string, text: string): string =>
  page({title, places, place: undefined, body: html`<h1>${title}</h1><p>${text}</p>`})
