import type {Configuration} from '../../config/schema.js'
import {JpError} from '../../errors/jp-error.js'
import {nearest} from '../../platform/nearest.js'
import {builtIns} from '../../turn/tools/builtin/built-ins.js'

/** One `--tool` or `--no-tools` of the command line; `name` is undefined for all tools. */
export type ToolFlag = {readonly on: boolean; readonly name: string | undefined}

type Tools = Configuration['conversation']['tools']

/**
 * The configuration that the flags for tools come to, in the order in which they stand (facts 8.3).
 * @throws JpError `usage` for a tool that does not exist or may not be switched.
 */
export const toolAssignments = (flags: readonly ToolFlag[], tools: Tools): readonly string[] => {
  const names = [...new Set([...Object.keys(tools), ...Object.keys(builtIns)])].filter((name) => name !== '*')
  return flags.flatMap(({on, name}) => {
    if (name === undefined) {
      return names.filter((one) => toggleOf(tools, one) === 'any').map((one) => assignment(one, on))
    }
    if (!names.includes(name)) throw unknownTool(name, names)
    if (toggleOf(tools, name) === 'never') {
      throw new JpError('usage', `The tool ${name} can't be switched ${on ? 'on' : 'off'}: its configuration says so.`)
    }
    return [assignment(name, on)]
  })
}

const assignment = (name: string, on: boolean): string => `conversation.tools.${name}.enable:=${on}`

const toggleOf = (tools: Tools, name: string): string =>
  tools[name]?.enable?.allow_toggle ?? tools['*']?.enable?.allow_toggle ?? 'any'

const unknownTool = (name: string, names: readonly string[]): JpError => {
  const near = nearest(name, names)
  return new JpError('usage', `There is no tool "${name}".`, {
    hint: near === undefined ? `There are: ${names.toSorted().join(', ')}.` : `Did you mean "${near}"?`,
  })
}
