import type {ExecutionContext} from '../bootstrap/execution-context.js'
import {endLoad, openCheckout} from '../bootstrap/open-checkout.js'
import type {Requirement} from '../bootstrap/requirement.js'
import type {Resolution} from '../config/pipeline.js'
import {JpCommand} from './base-command.js'
import {refuseMalformed, resolveForRun} from './configuration.js'

/** A command that acts in a checkout: the bootstrap has run when its `run` starts. */
export abstract class WorkspaceCommand extends JpCommand {
  static override requirement: Requirement = 'load'
  /** The command only reads conversations: its `load` registers the checkout and imports nothing (decision 0004). */
  static readsOnly = false

  #context: ExecutionContext | undefined
  #configuration: Promise<Resolution> | undefined

  /** Where this run acts. */
  protected get context(): ExecutionContext {
    if (this.#context === undefined) throw new TypeError('The bootstrap runs in init.')
    return this.#context
  }

  /**
   * The configuration of this run: files, environment and `--cfg`, without a conversation's own. Resolved once; what
   * there is to say of it is said on stderr then.
   */
  protected configuration(): Promise<Resolution> {
    this.#configuration ??= resolveForRun(this.invocation, this.context)
    return this.#configuration
  }

  override async init(): Promise<void> {
    await super.init()
    const {requirement, readsOnly} = this.constructor as typeof WorkspaceCommand
    if (requirement !== 'load' && requirement !== 'resolve') throw new TypeError(`${this.id} needs no checkout.`)
    this.#context = await openCheckout(requirement === 'load' && readsOnly ? 'register' : requirement, this.invocation)
    await refuseMalformed(this.invocation, this.#context)
  }

  override async finally(): Promise<void> {
    const {requirement} = this.constructor as typeof WorkspaceCommand
    if (requirement === 'load' && this.#context !== undefined) await endLoad(this.invocation)
  }
}
