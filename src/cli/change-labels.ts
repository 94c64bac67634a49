import * as Flags from '@oclif/core/flags'
import type {ConversationId} from '../platform/id-grammar.js'
import type {ConversationDesk} from './conversation-desk.js'

type Labels = Readonly<Record<string, string>>

/** The flag that names whose labels are changed. */
export const labelledFlag = Flags.string({
  char: 'i',
  summary: 'Which one; the active one of this session by default.',
  helpValue: 'TARGET',
})

/** Changes the labels of what a target names; gives what each has then. @throws JpError those of targets and of locking. */
export const changeLabels = async (
  desk: ConversationDesk,
  target: string | undefined,
  change: (labels: Labels) => Labels,
): Promise<readonly {readonly id: ConversationId; readonly labels: Labels}[]> => {
  const chosen = await desk.resolveTargets(target === undefined ? [] : [target])
  return chosen.map(({id, archived}) =>
    desk.locked(
      id,
      (held) => {
        const labels = change(held.read().metadata.labels)
        held.changeMetadata({labels})
        return {id, labels}
      },
      archived,
    ),
  )
}
