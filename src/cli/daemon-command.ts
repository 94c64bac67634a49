import * as Flags from '@oclif/core/flags'
import {JpError} from '../errors/jp-error.js'
import {JpCommand} from './base-command.js'

/** The flag by which a command about a running daemon chooses one. */
export const portFlag = Flags.string({summary: 'The port of the daemon; needed when several run.', helpValue: 'PORT'})

/** A command about a running daemon. */
export abstract class DaemonCommand extends JpCommand {
  /** @throws JpError `usage`. */
  protected portOf(text: string | undefined): number | undefined {
    if (text === undefined) return undefined
    if (/^\d{1,5}$/.test(text)) return Number(text)
    throw new JpError('usage', `--port must be a number, not "${text}".`)
  }
}
