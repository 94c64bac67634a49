import * as z from 'zod'

/**
 * What the daemon reads of an ACP agent's answers (protocol version 1). Fields that it has no use for pass through, so
 * that an agent may say more.
 */

const open = z.looseObject

/** The answer to `initialize`. */
export const initializeReply = open({
  protocolVersion: z.number(),
  agentCapabilities: open({
    loadSession: z.boolean().nullish(),
    sessionCapabilities: open({
      resume: open({}).nullish(),
      close: open({}).nullish(),
      fork: open({}).nullish(),
    }).nullish(),
  }).nullish(),
  agentInfo: open({name: z.string(), version: z.string().nullish()}).nullish(),
})

const modes = open({
  currentModeId: z.string(),
  availableModes: z.array(open({id: z.string(), name: z.string(), description: z.string().nullish()})),
})

const models = open({
  currentModelId: z.string(),
  availableModels: z.array(open({modelId: z.string(), name: z.string()})),
})

const configOption = open({
  id: z.string(),
  name: z.string(),
  category: z.string().nullish(),
  type: z.string(),
})

/** What answers with a session; its id comes with `session/new` and `session/fork`. */
export const sessionReply = open({
  sessionId: z.string().min(1).nullish(),
  modes: modes.nullish(),
  models: models.nullish(),
  configOptions: z.array(configOption).nullish(),
})

/** The state of a session as an agent tells it. */
export type AgentSessionState = z.output<typeof sessionReply>

/** The answer to `session/prompt`. */
export const promptReply = open({
  stopReason: z.string(),
  usage: open({}).nullish(),
  _meta: open({jp: open({usage: open({}).nullish()}).nullish()}).nullish(),
})

/** The answer to a prompt. */
export type AgentPromptReply = z.output<typeof promptReply>

/** The parameters of `session/request_permission`. */
export const permissionRequest = open({
  sessionId: z.string(),
  toolCall: open({toolCallId: z.string()}),
  options: z.array(open({optionId: z.string(), name: z.string(), kind: z.string()})).min(1),
})
