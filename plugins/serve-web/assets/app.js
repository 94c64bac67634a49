// What a page can't do without a script: it streams, keeps drafts, and sends with Ctrl+Enter.
'use strict'

const later = (work, ms) => {
  let timer
  const soon = () => {
    clearTimeout(timer)
    timer = setTimeout(() => void work(), ms)
  }
  soon.cancel = () => clearTimeout(timer)
  return soon
}

/** Times are told in UTC by the server, and in the time of the reader here. */
const showLocalTimes = (root) => {
  for (const time of root.querySelectorAll('time[datetime]')) {
    const at = new Date(time.dateTime)
    const [date, clock] = [at.toLocaleDateString('sv'), at.toLocaleTimeString('sv', {timeStyle: 'short'})]
    time.textContent = `${date} ${clock}`
  }
}

const stream = (section) => {
  const [list, status] = [section.querySelector('.transcript'), section.querySelector('.status')]
  const shown = new WeakMap([...list.children].map((block) => [block, block.outerHTML]))
  let told = status.innerHTML
  const source = new EventSource(section.dataset.live)
  source.addEventListener('message', ({data}) => {
    const {state, failure, transcript, status: wanted, where} = JSON.parse(data)
    document.body.dataset.state = state
    // A turn that was refused: the form has to show what is so now, and what was not sent.
    if (failure !== section.dataset.failure) return location.reload()
    const atEnd = window.innerHeight + window.scrollY > document.body.scrollHeight - 200
    showBlocks(list, transcript, shown)
    if (wanted !== told) status.innerHTML = wanted
    told = wanted
    showWhere(where)
    if (atEnd) window.scrollTo(0, document.body.scrollHeight)
  })
}

/** A block that is as it was stays: what is unfolded in it, selected, or being read aloud. */
const showBlocks = (list, html, shown) => {
  const template = document.createElement('template')
  template.innerHTML = html
  const blocks = [...template.content.children].map((block) => ({block, text: block.outerHTML}))
  const wanted = new Set(blocks.map(({text}) => text))
  let at = list.firstElementChild
  const dropUnwanted = () => {
    while (at !== null && !wanted.has(shown.get(at))) {
      const next = at.nextElementSibling
      at.remove()
      at = next
    }
  }
  for (const {block, text} of blocks) {
    dropUnwanted()
    if (at !== null && shown.get(at) === text) {
      at = at.nextElementSibling
      continue
    }
    shown.set(block, text)
    list.insertBefore(block, at)
    showLocalTimes(block)
  }
  wanted.clear()
  dropUnwanted()
}

let shownWhere

/** The record of where it last ran may move: the form shows the one that is. A choice that was made stays. */
const showWhere = (where) => {
  if (shownWhere === where) return
  shownWhere = where
  const place = document.querySelector('.composer .where')
  const chosen = place.querySelector('select')?.value ?? ''
  place.innerHTML = where
  const select = place.querySelector('select')
  if ([...select.options].some(({value}) => value === chosen)) select.value = chosen
}

const keepDraft = (form) => {
  const text = form.elements.namedItem('content')
  const note = form.querySelector('.draft-note')
  const save = async () => {
    const body = JSON.stringify({content: text.value, revision: form.dataset.revision})
    const response = await fetch(form.dataset.draft, {method: 'POST', headers: {'content-type': 'application/json'}, body})
    if (!response.ok) return void (note.textContent = 'The draft could not be saved.')
    const draft = await response.json()
    if (!draft.conflict) {
      form.dataset.revision = draft.revision ?? ''
      note.textContent = 'Draft saved.'
      return
    }
    text.removeEventListener('input', soon)
    note.textContent = 'Another window has another draft. Yours is not saved: copy it, then reload to see the other one.'
  }
  const soon = later(save, 300)
  text.addEventListener('input', soon)
  form.addEventListener('submit', () => soon.cancel())
}

for (const section of document.querySelectorAll('[data-live]')) stream(section)
for (const form of document.querySelectorAll('form[data-draft]')) keepDraft(form)
for (const select of document.querySelectorAll('.switcher select')) {
  // The arrow keys of a list that is folded change it at each step: they only look, and Go goes.
  let isByKey = false
  select.addEventListener('keydown', () => (isByKey = true))
  select.addEventListener('pointerdown', () => (isByKey = false))
  select.addEventListener('change', () => isByKey || select.form.requestSubmit())
}
document.addEventListener('keydown', (event) => {
  const form = event.target instanceof HTMLTextAreaElement ? event.target.form : null
  if (form !== null && event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit()
})
showLocalTimes(document)
if (document.querySelector('[data-live]') !== null) window.scrollTo(0, document.body.scrollHeight)
