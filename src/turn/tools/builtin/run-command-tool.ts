import {JpError} from '../../../errors/jp-error.js'
import {parseSimpleCommand} from '../simple-command.js'
import type {BuiltInTool} from './built-in-tool.js'

/** Runs a command in the root of the checkout; through a shell only when it is more than one plain command. */
export const runShellCommand: BuiltInTool = {
  description: 'Run a command in the root of the checkout and give what it prints. It gets no input.',
  inputSchema: {
    type: 'object',
    properties: {
      command: {type: 'string', description: 'The command line, as for sh.'},
      timeout_secs: {type: 'integer', description: 'End it after this time. Unit: seconds.', default: 120},
    },
    required: ['command'],
  },
  shown: ({command}) => String(command),
  commandOf: ({command}) => String(command),
  async run({command, timeout_secs: seconds}, {root, env, hands, callId, limitMs}, signal) {
    const line = String(command)
    const words = parseSimpleCommand(line)
    const [program = '', ...args] = words ?? ['sh', '-c', line]
    const wantedMs = Math.max(1, Number(seconds)) * 1000
    const timeoutMs = limitMs === 0 ? wantedMs : Math.min(wantedMs, limitMs)
    const end = await hands.run({command: program, args, cwd: root, env}, signal, {timeoutMs, callId})
    const said = [end.stdout, end.stderr].filter((text) => text !== '').join('\n')
    if (end.failure === undefined) return said
    throw new JpError('child_failed', `The command failed: ${end.failure}.\n${said}`)
  },
}
