import {Command} from '@oclif/core'
import type {Jp} from './client.js'
import {connection} from './connection.js'

/**
 * The base of the oclif commands of a plugin: it has the connection to jp as `this.jp`, and `static workspaceScope` says
 * which scope a class is written for (P1).
 */
export abstract class JpPluginCommand extends Command {
  static workspaceScope: 'single' | 'multi' = 'single'

  /** jp. There is none when the class is run by hand. */
  protected get jp(): Jp {
    return connection()
  }
}
