import * as z from 'zod'
import {model, requestOverrides, systemPromptSections} from './assistant.js'
import {growingText} from './fields.js'

/** An assistant that differs from the main one in what is given here. */
export const assistantOverrides = () =>
  z.strictObject({
    system_prompt: growingText().optional().describe('Its system prompt.'),
    system_prompt_sections: systemPromptSections().optional().describe('Its sections.'),
    tool_choice: z.string().optional().describe('Its tool choice.'),
    model: model().optional().describe('Its model.'),
    request: requestOverrides().optional().describe('How its requests are sent.'),
  })
