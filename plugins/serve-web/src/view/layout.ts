import {basename} from 'node:path'
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
<header>${places.length > 0 && switcher(places, place)}${links(place)}</header>
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
</form>`

const links = (place: Place | undefined): Html =>
  html`<nav><a href="${place?.url ?? '/'}">Conversations</a>${
    place !== undefined && html` <a href="${place.url}/new">New conversation</a>`
  }</nav>`

/**
 * `* notes — /home/ada/notes`: the star is the launch workspace. `* notes · draft — /home/ada/draft` is another checkout of it:
 * what tells the two apart stands first, where a narrow screen still shows it.
 */
const nameOf = ({workspace, root}: Place): string => {
  const name = workspace.slug ?? workspace.id
  const folder = basename(root)
  return `${workspace.launch ? '* ' : ''}${name}${folder === name ? '' : ` · ${folder}`} — ${root}`
}
