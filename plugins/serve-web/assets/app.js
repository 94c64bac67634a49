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

const stream = (section) => {
  const source = new EventSource(section.dataset.live)
  source.addEventListener('message', ({data}) => {
    const {state, failure, html, where} = JSON.parse(data)
    document.body.dataset.state = state
    // A turn that was refused: the form has to show what is so now, and what was not sent.
    if (failure !== section.dataset.failure) return location.reload()
    const atEnd = window.innerHeight + window.scrollY > document.body.scrollHeight - 200
    const open = [...section.querySelectorAll('details')].map((details) => details.open)
    section.innerHTML = html
    section.querySelectorAll('details').forEach((details, index) => {
      details.open = open[index] ?? false
    })
    showWhere(where)
    if (atEnd) window.scrollTo(0, document.body.scrollHeight)
  })
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
  select.addEventListener('change', () => select.form.requestSubmit())
}
document.addEventListener('keydown', (event) => {
  const form = event.target instanceof HTMLTextAreaElement ? event.target.form : null
  if (form !== null && event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit()
})
if (document.querySelector('[data-live]') !== null) window.scrollTo(0, document.body.scrollHeight)
