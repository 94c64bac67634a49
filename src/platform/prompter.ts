/** What every question may carry. */
export type QuestionBase = {
  /** The question itself, one line. */
  readonly message: string
  /** What the decision is about (a command, arguments, a difference), shown above the question; may have several lines. */
  readonly detail?: string
  /** Takes the question back: the answer is the error `interrupted`. */
  readonly signal?: AbortSignal
}

/** One answer of a list. */
export type PromptChoice<Value> = {
  readonly value: Value
  /** The answer in words. */
  readonly label: string
  /** The key that gives this answer at once; upper and lower case differ. Lists without keys are walked or searched. */
  readonly key?: string
  /** More about the answer that the cursor is on. */
  readonly description?: string
}

/** A list to choose from. */
export type ChoiceQuestion<Value> = QuestionBase & {readonly choices: readonly PromptChoice<Value>[]}

/** A yes or no. Enter alone is no, unless `byDefault`. */
export type ConfirmQuestion = QuestionBase & {readonly byDefault?: boolean}

/** A line of text. */
export type InputQuestion = QuestionBase & {
  readonly suggestion?: string
  /** What is wrong with the text, or undefined when it will do. */
  readonly complaint?: (text: string) => string | undefined
}

/**
 * Asks the person at the terminal (W9). One question at a time; further ones wait. Whoever is handed `undefined` instead
 * may not ask. Every text is made visible here: control, bidirectional and zero-width characters are spelled out (W31).
 * @throws JpError `interrupted` when Ctrl-C was pressed or the signal aborted.
 */
export interface Prompter {
  /** One of a few answers, each with a key. */
  choose<Value>(question: ChoiceQuestion<Value>): Promise<Value>
  /** One of many answers, narrowed by typing. */
  search<Value>(question: ChoiceQuestion<Value>): Promise<Value>
  /** Any number of many answers, in the order of the choices. */
  selectMany<Value>(question: ChoiceQuestion<Value>): Promise<Value[]>
  confirm(question: ConfirmQuestion): Promise<boolean>
  input(question: InputQuestion): Promise<string>
  /** As `input`, without showing what is typed. */
  secret(question: QuestionBase): Promise<string>
}
