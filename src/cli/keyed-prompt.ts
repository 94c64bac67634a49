import {
  createPrompt,
  isDownKey,
  isEnterKey,
  isUpKey,
  type KeypressEvent,
  makeTheme,
  useKeypress,
  usePrefix,
  useState,
} from '@inquirer/core'

/** What the keyed list shows: texts that are safe to draw. */
export type KeyedList = {
  readonly message: string
  readonly choices: readonly {readonly label: string; readonly key: string; readonly description: string | undefined}[]
}

/** What the terminal sent for a key, beside what inquirer's type tells. */
type Keypress = KeypressEvent & {readonly sequence?: string}

/**
 * A list in words: a key answers at once, arrows and Enter work too. The answer is the index of the choice.
 * inquirer's own `expand` folds upper case and hides the words; `select` has no keys.
 */
export const keyedList = createPrompt<number, KeyedList>(({message, choices}, done) => {
  const theme = makeTheme({})
  const [status, setStatus] = useState<'idle' | 'done'>('idle')
  const [active, setActive] = useState(0)
  const prefix = usePrefix({status, theme})
  const answer = (index: number): void => {
    setActive(index)
    setStatus('done')
    done(index)
  }
  useKeypress((event: Keypress, line) => {
    line.clearLine(0)
    if (status === 'done') return
    if (isEnterKey(event)) return answer(active)
    if (isUpKey(event)) return setActive((active + choices.length - 1) % choices.length)
    if (isDownKey(event)) return setActive((active + 1) % choices.length)
    const index = event.ctrl ? -1 : choices.findIndex(({key}) => key !== '' && key === event.sequence)
    if (index !== -1) answer(index)
  })
  const head = [prefix, theme.style.message(message, status)].join(' ')
  const chosen = choices[active]
  if (status === 'done') return `${head} ${theme.style.answer(chosen?.label ?? '')}`
  const width = Math.max(...choices.map(({key}) => key.length))
  const lines = choices.map(({key, label}, index) => {
    const text = `${index === active ? '>' : ' '} ${key.padEnd(width)}  ${label}`
    return index === active ? theme.style.highlight(text) : text
  })
  return [head, ...lines, ...(chosen?.description === undefined ? [] : [chosen.description])].join('\n')
})
