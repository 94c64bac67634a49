import * as z from 'zod'

/**
 * What the daemon takes in request bodies and queries: the source of validation and of `/openapi.json` (D23). Fields of
 * create, load and resume that the SDK's types do not name are refused (D30); elsewhere they are ignored.
 */

const approvalMode = z.enum(['plan', 'default', 'auto-edit', 'auto', 'yolo'])

const cwd = z.string().max(4096).describe('Absolute path of a registered workspace; the primary when omitted.')

const source = {sourceType: z.string().optional(), sourceId: z.string().optional()}

/** `POST /session`. */
const createSession = z.strictObject({
  cwd: cwd.optional(),
  sessionScope: z
    .enum(['single', 'thread'])
    .optional()
    .describe('`single` (the default) shares one session of the workspace; `thread` makes one of its own.'),
  sessionId: z.guid().optional().describe('A UUID that no session has yet.'),
  approvalMode: approvalMode.optional(),
  modelServiceId: z.string().optional(),
  ...source,
  worktree: z.unknown().optional().describe('Ignored.'),
  branch: z.unknown().optional().describe('Ignored.'),
})

/** `POST /session/:id/resume`. */
const resumeSession = z.strictObject({
  cwd: cwd.optional(),
  approvalMode: approvalMode.optional(),
  ...source,
})

/** `POST /session/:id/load`. */
const loadSession = z.strictObject({
  ...resumeSession.shape,
  historyPageSize: z.unknown().optional().describe('Ignored.'),
  compactedReplayMode: z.unknown().optional().describe('Ignored.'),
  liveReplayMode: z.unknown().optional().describe('Ignored.'),
})

/** `POST /session/:id/prompt`. */
const prompt = z.object({
  prompt: z
    .array(z.looseObject({type: z.string()}))
    .min(1)
    .describe('Content blocks of ACP.'),
  deadlineMs: z.int().positive().optional().describe('The turn fails after this time. Unit: milliseconds.'),
})

/** `POST /session/:id/permission/:requestId`. */
const vote = z.object({
  outcome: z.discriminatedUnion('outcome', [
    z.object({outcome: z.literal('selected'), optionId: z.string()}),
    z.object({outcome: z.literal('cancelled')}),
  ]),
})

/** A body that says nothing that counts. */
const nothing = z.looseObject({})

/** `POST /sessions/delete`, `/archive`, `/unarchive`. */
const sessionIds = z.object({sessionIds: z.array(z.string()).min(1).max(200)})

const presetColor = z.enum(['red', 'orange', 'yellow', 'green', 'blue', 'purple'])

/** `PATCH /session/:id/organization`. */
const organization = z.object({
  isPinned: z.boolean().optional(),
  groupId: z.string().nullable().optional(),
  color: presetColor.nullable().optional(),
})

/** `POST /workspace/:id/session-groups`. */
const newGroup = z.object({name: z.string().trim().min(1).max(80), color: z.string().max(32)})

/** `PATCH /workspace/:id/session-groups/:groupId`. */
const groupChange = z.object({
  name: z.string().trim().min(1).max(80).optional(),
  color: z.string().max(32).optional(),
  order: z.int().optional(),
})

/** `POST /session/:id/model`. */
const model = z.object({modelId: z.string().min(1)})

/** `POST /session/:id/branch`. */
const branch = z.object({name: z.string().max(200).optional(), atRecordId: z.string().optional()})

/** `POST /session/:id/fork`. */
const fork = z.object({directive: z.string().min(1)})

/** `POST /session/:id/rewind`. */
const rewind = z.object({promptId: z.string().min(1), rewindFiles: z.boolean().optional()})

/** Every request body, by the name that the route table calls it. */
export const requestSchemas = {
  createSession,
  resumeSession,
  loadSession,
  prompt,
  vote,
  nothing,
  sessionIds,
  organization,
  newGroup,
  groupChange,
  model,
  branch,
  fork,
  rewind,
} as const
