import type {RoundDeps, ToolRound} from '../tool-round.js'
import type {RememberedAnswers} from './answer-question.js'
import type {BeltDeps, BeltTool} from './belt-deps.js'
import {createCallRunner} from './call-runner.js'

/**
 * The tools of a turn (W26). Permissions are asked for in the order of the calls, one at a time; what is allowed runs at
 * once, beside the others; results go to the model in the order of the calls.
 */
export const createToolBelt = (tools: readonly BeltTool[], deps: BeltDeps): ToolRound => {
  const remembered: RememberedAnswers = new Map()
  const byName = new Map(tools.map((entry) => [entry.tool.name, entry]))
  return {
    definitions: tools.map(({tool}) => ({
      type: 'function',
      name: tool.name,
      description: tool.description,
      inputSchema: tool.inputSchema,
    })),
    async run(calls, round) {
      const scene = {deps, round, remembered, signal: round.control.workSignal(), response: sharedResponse(round)}
      let admitted: Promise<unknown> = Promise.resolve()
      let delivered = Promise.resolve()
      for (const call of calls) {
        const runner = createCallRunner(call, byName.get(call.name), scene)
        const admission = admitted.then(() => runner.admit())
        admitted = admission.catch(() => undefined)
        const result = admission.then((answer) => runner.run(answer))
        const before = delivered
        // A failure to store ends the round; no result may be left behind unheard.
        delivered = Promise.allSettled([before, result]).then(async () => {
          await before
          await round.deliver(await result)
        })
      }
      await delivered
    },
  }
}

/** One message of the user answers every call that it cancels. */
const sharedResponse = ({control}: RoundDeps): (() => string | undefined) => {
  let taken: string | undefined
  return () => (taken ??= control.takeResponse())
}
