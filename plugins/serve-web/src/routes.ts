import type {ServerResponse} from 'node:http'
import type {Fields, Jp, LastRoot} from '../../sdk/src/client.js'
import {streamLive} from './live.js'
import {type Place, placeAt, siblingOf} from './places.js'
import {readConversation, readDraft} from './read-conversation.js'
import type {Turns} from './turns.js'
import {conversationPage, listPage, liveParts, newPage, problemPage} from './view/pages.js'

/** What is asked of a route. */
export type Asking = {
  readonly jp: Jp
  readonly turns: Turns
  readonly places: readonly Place[]
  readonly url: URL
  /** What the pattern found in the path. */
  readonly words: readonly (string | undefined)[]
  readonly body: Fields
  readonly response: ServerResponse
}

/** What is answered; nothing where the route wrote it itself. */
export type Answer = {
  readonly status: number
  readonly html?: string
  readonly text?: string
  readonly type?: string
  readonly location?: string
}

type Route = {
  readonly method: 'GET' | 'POST'
  readonly pattern: RegExp
  readonly answer: (asking: Asking) => Promise<Answer | undefined> | Answer
}

/** How long an answer waits for a refusal of jp, so that most are told at once. Unit: milliseconds. */
const patienceMs = 400

const at = '/w/([0-9a-z]{5})/([0-9a-f]{12})'
const conversation = `${at}/([\\w-]{1,64})`
const path = (pattern: string): RegExp => new RegExp(`^${pattern}$`)
const seeOther = (location: string): Answer => ({status: 303, location})
const textOf = (fields: Fields, key: string): string => (typeof fields[key] === 'string' ? fields[key].trim() : '')

/** A route below a checkout that is live. */
const inPlace =
  (answer: (asking: Asking, place: Place, id: string) => Promise<Answer | undefined>) =>
  async (asking: Asking): Promise<Answer | undefined> => {
    const [workspaceId = '', key = '', id = ''] = asking.words
    const place = placeAt(asking.places, workspaceId, key)
    if (place !== undefined) return answer(asking, place, id)
    const text = 'This checkout is not there any more. Choose another above.'
    return {status: 404, html: problemPage(asking.places, 'Not found', text)}
  }

const home = ({places}: Asking): Answer => {
  const [first] = places
  if (first !== undefined) return seeOther(first.url)
  return {status: 200, html: problemPage([], 'No workspaces', 'jp knows no workspace yet: run "jp init" in a folder.')}
}

const go = ({places, url}: Asking): Answer => {
  const chosen = places.find((place) => place.url === url.searchParams.get('place'))
  return seeOther(chosen?.url ?? '/')
}

const list = inPlace(async ({jp, places}, place) => ({
  status: 200,
  html: listPage({places, place}, await jp.listConversations(place.ref)),
}))

const showNew = inPlace(async ({places}, place) => ({status: 200, html: newPage({places, place})}))

/** The checkout of a new conversation is the one that the user chose: there is no record to compare (S25). */
const startNew = inPlace(async ({turns, places, body}, place) => {
  const target = siblingOf(places, place, textOf(body, 'root')) ?? place
  const content = textOf(body, 'content')
  if (content === '') return seeOther(`${place.url}/new`)
  const title = textOf(body, 'title')
  const asked = {workspace: target.ref, content, ...(title === '' ? {} : {title})}
  const started = await turns.start(asked, patienceMs)
  if (typeof started === 'string') return seeOther(`${target.url}/${started}`)
  return {status: 409, html: newPage({places, place: target}, {failure: started, title})}
})

const show = inPlace(async ({jp, turns, places, url}, place, id) => {
  const shown = await readConversation(jp, turns, {place, id})
  const draft = await readDraft(jp, {place, id})
  return {status: 200, html: conversationPage({places, place}, {...shown, draft, all: url.searchParams.has('all')})}
})

const live = inPlace(async ({jp, turns, places, url, response}, place, id) => {
  const all = url.searchParams.has('all')
  await streamLive(response, {
    read: () => readConversation(jp, turns, {place, id}),
    render: (shown) => {
      const {transcript, status, where} = liveParts({places, place}, {...shown, all})
      return {transcript: transcript.markup, status: status.markup, where: where.markup}
    },
    signal: jp.shutdown,
  })
  return undefined
})

/** The record that the page showed; undefined when there was none. */
const seenRecord = (body: Fields): LastRoot | undefined => {
  const seen = textOf(body, 'seen_path')
  if (seen === '') return undefined
  const used = textOf(body, 'seen_used')
  return {path: seen, ...(used === '' ? {} : {last_used: used}), live: textOf(body, 'seen_live') === 'yes'}
}

/**
 * Goes on with a conversation: where it last ran, with the record that the page showed; in a checkout that was chosen
 * although the record is live, without it; in one that was chosen since the record is dead, with the dead one (S26).
 */
const takeTurn = inPlace(async ({jp, turns, places, body}, place, id) => {
  const content = textOf(body, 'content')
  const url = `${place.url}/${id}`
  if (content === '') return seeOther(url)
  // A turn that ends just now takes no reply any more: what was said begins the next one.
  if (turns.isRunning(place.workspace.id, id) && (await turns.reply(place.ref, id, content))) {
    await clearDraft(jp, place, id)
    return seeOther(url)
  }
  const [chosen, seen] = [textOf(body, 'root'), seenRecord(body)]
  const root = chosen === '' && seen?.live === true ? seen.path : chosen
  const target = siblingOf(places, place, root)
  if (target === undefined) {
    const text = 'Choose the checkout in which the conversation goes on: the one that was named is not there.'
    return {status: 409, html: problemPage(places, 'Where does it run?', text)}
  }
  const expects = seen !== undefined && (chosen === '' || !seen.live)
  const asked = {workspace: target.ref, content, conversation: id, ...(expects ? {expectedLastRoot: seen} : {})}
  const failure = await turns.start(asked, patienceMs)
  if (failure === undefined) await clearDraft(jp, place, id)
  return seeOther(`${failure === undefined ? target.url : place.url}/${id}`)
})

const clearDraft = async (jp: Jp, place: Place, id: string): Promise<void> => {
  const {revision} = await readDraft(jp, {place, id})
  if (revision === undefined) return
  await jp.request('write_draft', {workspace: place.ref, conversation: id, content: '', revision})
}

const stop = inPlace(async ({turns}, place, id) => {
  await turns.stop(place.ref, id)
  return seeOther(`${place.url}/${id}`)
})

const retitle = inPlace(async ({jp, body}, place, id) => {
  await jp.setTitle(id, textOf(body, 'title'), place.ref)
  return seeOther(`${place.url}/${id}`)
})

const archive = inPlace(async ({jp}, place, id) => {
  await jp.archive(id, place.ref)
  return seeOther(place.url)
})

/** Stores a draft over the one that the page knows; another one is kept, and told (P25). */
const saveDraft = inPlace(async ({jp, body}, place, id) => {
  const revision = textOf(body, 'revision')
  const fields = {
    content: typeof body['content'] === 'string' ? body['content'] : '',
    ...(revision === '' ? {} : {revision}),
  }
  const answer = await jp.request('write_draft', {workspace: place.ref, conversation: id, ...fields})
  const {content = '', revision: stored = null, conflict = false} = answer
  return {status: 200, type: 'application/json', text: JSON.stringify({content, revision: stored, conflict})}
})

/** Every page of the server. */
export const routes: readonly Route[] = [
  {method: 'GET', pattern: path('/'), answer: home},
  {method: 'GET', pattern: path('/go'), answer: go},
  {method: 'GET', pattern: path(at), answer: list},
  {method: 'GET', pattern: path(`${at}/new`), answer: showNew},
  {method: 'POST', pattern: path(`${at}/new`), answer: startNew},
  {method: 'GET', pattern: path(conversation), answer: show},
  {method: 'GET', pattern: path(`${conversation}/live`), answer: live},
  {method: 'POST', pattern: path(`${conversation}/turn`), answer: takeTurn},
  {method: 'POST', pattern: path(`${conversation}/stop`), answer: stop},
  {method: 'POST', pattern: path(`${conversation}/title`), answer: retitle},
  {method: 'POST', pattern: path(`${conversation}/archive`), answer: archive},
  {method: 'POST', pattern: path(`${conversation}/draft`), answer: saveDraft},
]
