import * as Flags from '@oclif/core/flags'

/** Which conversation a command changes whose words are attachments. */
export const conversationFlag = {
  id: Flags.string({
    char: 'i',
    summary: 'Which conversation; the active one of this session by default.',
    helpValue: 'TARGET',
  }),
}
