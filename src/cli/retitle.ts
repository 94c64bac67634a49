import {JpError} from '../errors/jp-error.js'
import type {ConversationId} from '../platform/id-grammar.js'
import {writesTitles} from '../providers/open-model.js'
import {titlesFor} from '../turn/title.js'
import {turnConfiguration} from '../turn/turn-configuration.js'
import {openTurnModel} from '../turn/turn-model.js'
import {type ConversationDesk, turnPlaceOf} from './conversation-desk.js'
import {interruptible} from './interruptible.js'

/** How titles are asked for. */
export type TitleWish = {readonly count: number; readonly model: string | undefined}

/**
 * Titles that a model proposes for a conversation, by what was asked in it.
 * @throws JpError `usage` for a model that writes none and for a conversation without a request, those of asking a model.
 */
export const proposeTitles = async (
  desk: ConversationDesk,
  id: ConversationId,
  {count, model}: TitleWish,
): Promise<readonly string[]> => {
  const {globals, output} = desk.invocation
  const place = turnPlaceOf(desk)
  const conversation = desk.store.read(id)
  const requests = conversation.events.flatMap(({known}) => (known?.type === 'chat_request' ? [known.content] : []))
  if (requests.length === 0) throw new JpError('usage', `Nothing was asked in ${id} yet.`)
  const {config} = await turnConfiguration(place, conversation, globals.cfg)
  const {assistant} = config
  const {model: titleModel} = config.conversation.title.generate
  const chosen = model === undefined ? (titleModel ?? assistant.model) : {...assistant.model, id: model}
  const opened = await openTurnModel({...config, assistant: {...assistant, model: chosen}}, place, ({reason}) =>
    output.note(reason),
  )
  if (!writesTitles(opened.id)) {
    throw new JpError('usage', `${opened.name} writes no titles.`, {hint: 'Name another: --model PROVIDER/NAME'})
  }
  const titles = await interruptible('Interrupted: the title is what it was.', (signal) =>
    titlesFor(requests.join('\n\n'), count, {model: opened.model, signal}),
  )
  if (titles.length > 0) return titles
  throw new JpError('provider_misbehaved', 'The model gave no title.', {hint: 'Try another one: --model PROVIDER/NAME'})
}

/** Gives a conversation one of these titles: the one that the person at the terminal chooses, else the first. */
export const retitle = async (
  desk: ConversationDesk,
  {id, archived}: {readonly id: ConversationId; readonly archived: boolean},
  titles: readonly string[],
): Promise<string | undefined> => {
  const {prompter} = desk.invocation
  const [first] = titles
  const title =
    prompter === undefined || titles.length < 2
      ? first
      : await prompter.search({message: 'Which title?', choices: titles.map((value) => ({value, label: value}))})
  if (title !== undefined) desk.locked(id, (held) => held.changeMetadata({title}), archived)
  return title
}
