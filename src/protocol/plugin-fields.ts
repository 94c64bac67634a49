import * as z from 'zod'

/** Names a request, so that its answer can be told from others. */
export const requestId = z.string().optional().describe('Copied to the answer. Without it, answers come in order.')

/** Which checkout a request is about. Multi-scope plugins send it, single-scope plugins must not (S12, S13). */
export const workspaceRef = z
  .object({
    id: z.string().describe('The workspace id.'),
    root: z
      .string()
      .optional()
      .describe('The checkout. May be omitted when the workspace has exactly one that is live.'),
  })
  .describe(
    'The checkout that the request is about. Required for a multi-scope plugin, refused from a single-scope one.',
  )
export type WorkspaceRef = z.infer<typeof workspaceRef>

/** Where a conversation last ran, as it is reported (S26). */
export const lastRoot = z
  .object({
    path: z.string().describe('Canonical path of the checkout.'),
    last_used: z.string().optional().describe('RFC 3339, UTC.'),
    live: z.boolean().describe('Whether that checkout still exists.'),
  })
  .describe('Where the last turn ran. Absent when no turn has recorded it.')
export type ReportedLastRoot = z.infer<typeof lastRoot>

/** The record that a frontend showed its user (S27). `live` and unknown keys are ignored. */
export const expectedLastRoot = z.object({
  path: z.string(),
  last_used: z.string().optional().describe('Compared as an instant when it is sent.'),
})
export type ExpectedLastRoot = z.infer<typeof expectedLastRoot>

/** What a plugin states about itself, in its manifest and in its `describe` answer. */
export const workspaceScope = z.enum(['single', 'multi'])

/** One question to the user. */
export const composeMode = () =>
  z.discriminatedUnion('kind', [
    z.object({kind: z.literal('line'), default: z.string().optional()}),
    z.object({kind: z.literal('buffer'), initial_text: z.string().optional()}),
    z.object({
      kind: z.literal('select'),
      options: z.array(z.object({value: z.string(), label: z.string()})).min(1),
      default: z.string().optional(),
    }),
    z.object({
      kind: z.literal('multi_select'),
      options: z.array(z.object({value: z.string(), label: z.string()})).min(1),
    }),
  ])
export type ComposeMode = z.infer<ReturnType<typeof composeMode>>

const jsonObject = z.record(z.string(), z.unknown())

export {jsonObject}
