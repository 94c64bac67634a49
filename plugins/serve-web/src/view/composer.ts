import type {LastRoot} from '../../../sdk/src/client.js'
import type {Place} from '../places.js'
import {type Html, html} from './html.js'

/** A form to say something with. */
export type Composer = {
  readonly action: string
  /** What stands in it: a draft, or what could not be sent. */
  readonly content: string
  /** The title of a new conversation, so far; undefined for one that there is. */
  readonly title: string | undefined
  readonly where: Html
  /** Absent where no draft is kept. */
  readonly draft?: {readonly url: string; readonly revision: string | undefined}
}

export const composer = ({action, content, title, where, draft}: Composer): Html => html`
<form method="post" action="${action}" class="composer"${
  draft !== undefined && html` data-draft="${draft.url}" data-revision="${draft.revision ?? ''}"`
}>
${
  title !== undefined &&
  html`<label for="title">Title (may be left out)</label><input id="title" name="title" value="${title}" autocomplete="off">`
}
<label for="content">Message</label>
<textarea id="content" name="content" rows="4" required>
${content}</textarea>
<div class="where">${where}</div>
<div class="send"><button>Send</button> <span class="hint">Ctrl+Enter sends</span> <span class="draft-note" role="status" aria-live="polite"></span></div>
</form>`

/** Where a new conversation runs: the checkout that the user is in, unless another is chosen. */
export const whereNew = (place: Place, siblings: readonly Place[]): Html =>
  html`<label for="root">Runs in</label><select id="root" name="root">${siblings.map(
    ({root}) => html`<option value="${root}"${root === place.root && html` selected`}>${root}</option>`,
  )}</select>`

/**
 * Where a conversation goes on (P25, S24 to S27). In its last checkout, when that is live: the record goes with it, so that jp
 * refuses when it moved meanwhile. Else the user is asked, and nothing is chosen for them.
 */
export const whereNext = (record: LastRoot | undefined, siblings: readonly Place[]): Html => {
  const roots = siblings.map(({root}) => root)
  const seen =
    record !== undefined &&
    html`<input type="hidden" name="seen_path" value="${record.path}"><input type="hidden" name="seen_used" value="${record.last_used ?? ''}"><input type="hidden" name="seen_live" value="${record.live ? 'yes' : 'no'}">`
  const label = html`<label for="root">Runs in</label>`
  if (record?.live === true) {
    const others = roots.filter((root) => root !== record.path)
    return html`${seen}${label}<select id="root" name="root"><option value="">${record.path} (where it last ran)</option>${others.map(
      (root) => html`<option value="${root}">${root}</option>`,
    )}</select>`
  }
  const why =
    record === undefined
      ? 'This conversation has no record of where it last ran. Choose the checkout in which it goes on.'
      : `It last ran in ${record.path}, which no longer exists. Choose the checkout in which it goes on.`
  return html`${seen}<p class="ask" role="alert">${why}</p>${label}<select id="root" name="root" required><option value="">Choose…</option>${roots.map(
    (root) => html`<option value="${root}">${root}</option>`,
  )}</select>`
}
