import type {BuiltIns} from '../plugin/builtins.js'
import {type CommandTable, childId} from './command-table.js'

/** The built-in commands as routing must know them: aliases are taken too (P6). */
export const builtInsOf = (table: CommandTable): BuiltIns => ({
  isTaken(words) {
    const id = words.reduce(childId, '')
    return table.find(id) !== undefined || table.isTopic(id)
  },
})
