import {JpError} from '../../../errors/jp-error.js'
import type {JsonSchema} from '../../json-schema.js'
import type {Tool} from '../../tool.js'
import type {ToolPlace} from '../local-tool.js'
import {ownHands, type ToolHands} from '../tool-hands.js'
import type {FileAccess} from './file-access.js'

/** Where a built-in tool works, and how long a call of it may run; 0 is no limit. Unit: milliseconds. */
export type BuiltInPlace = ToolPlace & {
  readonly limitMs: number
  /** What it may touch. */
  readonly access: FileAccess
}

/** Where one call of a built-in tool works, and with what. */
export type CallPlace = BuiltInPlace & {readonly hands: ToolHands; readonly callId: string}

/** A tool that jp itself brings. Its failures are thrown as errors for the model to read. */
export type BuiltInTool = {
  readonly description: string
  readonly inputSchema: JsonSchema
  run(args: Readonly<Record<string, unknown>>, place: CallPlace, signal: AbortSignal): string | Promise<string>
  readonly shown?: (args: Readonly<Record<string, unknown>>) => string
  /** The command line that a call runs, for remembered permissions. */
  readonly commandOf?: (args: Readonly<Record<string, unknown>>) => string
}

/** A built-in tool in one checkout. */
export const createBuiltIn = (name: string, tool: BuiltInTool, place: BuiltInPlace): Tool => ({
  name,
  description: place.access.outside === '' ? tool.description : `${tool.description} ${outsideText(place.access)}`,
  inputSchema: {...tool.inputSchema, additionalProperties: false},
  ...(tool.shown === undefined ? {} : {shown: tool.shown}),
  async run(call, signal) {
    try {
      const here = {...place, hands: place.hands ?? ownHands, callId: call.id}
      return {type: 'success', content: await tool.run(call.arguments, here, signal)}
    } catch (error) {
      if (error instanceof JpError) return {type: 'error', content: error.message}
      throw error
    }
  },
})

const outsideText = ({outside}: FileAccess): string => `Outside the checkout there are: ${outside}.`
