import type {ConversationId} from '../platform/id-grammar.js'
import {turnConfiguration} from '../turn/turn-configuration.js'
import {type ConversationDesk, turnPlaceOf} from './conversation-desk.js'
import {loadMarkdown} from './markdown/open-markdown.js'

/**
 * What lays the words of a printed conversation out on a terminal, as `style` of its own configuration says, or as that of
 * the checkout does.
 * @throws JpError what reading the conversation and the configuration throws.
 */
export const transcriptDrawer = async (
  desk: ConversationDesk,
  id: ConversationId,
  isCurrent: boolean,
): Promise<(markdown: string) => string> => {
  const {store, invocation, output} = desk
  const conversation = isCurrent ? undefined : store.read(id)
  const {config} = await turnConfiguration(turnPlaceOf(desk), conversation, invocation.globals.cfg)
  const open = await loadMarkdown({
    paint: output.paint,
    hasColors: output.hasColors.stdout,
    terminalWidth: output.width,
    style: config.style,
  })
  return (markdown) => {
    const stream = open()
    return stream.push(markdown) + stream.end()
  }
}
