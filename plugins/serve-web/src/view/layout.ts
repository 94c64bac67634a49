import type {Place} from '../places.js'
import {type Html, html} from './html.js'

/** What surrounds every page. */
export type Frame = {
  readonly title: string
  readonly places: readonly Place[]
  readonly place: Place | undefined
  readonly state?: string
  readonly body: Html
}

/** A whole page. It works without scripts; the script streams, keeps drafts and saves keys. */
export const page = ({title, places, place, state = 'none', body}: Frame): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · jp</title>
<link rel="stylesheet" href="/assets/style.css">
<link rel="icon" href="/assets/icon.svg">
<script src="/assets/app.js" defer></script>
</head>
<body data-state="${state}">
<a class="skip" href="#main">Skip to the content</a>
<header>${switcher(places, place)}</header>
<main id="main">${body}</main>
</body>
</html>
`.markup

const switcher = (places: readonly Place[], place: Place | undefined): Html => html`
<form method="get" action="/go" class="switcher">
<label for="place">Workspace</label>
<select id="place" name="place">${places.map(
  (each) => html`<option value="${each.url}"${each.url === place?.url && html` selected`}>${nameOf(each)}</option>`,
)}</select>
<button>Go</button>
</form>
${place !== undefined && html`<nav><a href="${place.url}">Conversations</a> <a href="${place.url}/new">New conversation</a></nav>`}`

/** `* notes — /home/ada/notes`: the star is the launch workspace. */
const nameOf = ({workspace, root}: Place): string =>
  `${workspace.launch ? '* ' : ''}${workspace.slug ?? workspace.id} — ${root}`
