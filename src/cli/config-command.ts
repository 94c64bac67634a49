import {selectLaunchCheckout} from '../bootstrap/config-only.js'
import type {Requirement} from '../bootstrap/requirement.js'
import {canonicalIfPresent} from '../platform/contained-path.js'
import {findRootAbove} from '../workspace/discovery.js'
import {findSilo, slugOf} from '../workspace/silo.js'
import {JpCommand} from './base-command.js'
import type {ConfigContext} from './configuration.js'

/** A command about configuration: it acts inside a workspace and outside any, asks nothing and registers nothing (S7). */
export abstract class ConfigCommand extends JpCommand {
  static override requirement: Requirement = 'config-only'

  /**
   * Where it acts: what a target or `-w` names, else what the ladder finds without asking, else no workspace.
   * @throws JpError as `selectLaunchCheckout`.
   */
  protected async configContext(target?: string): Promise<ConfigContext> {
    const launchCwd = this.invocation.environment.cwd
    const cwd = canonicalIfPresent(launchCwd) ?? launchCwd
    const selected = await selectLaunchCheckout(this.invocation, target)
    if (selected === undefined) return {silo: undefined, launchCwd, configCwd: cwd}
    const {checkout} = selected
    const isOwn = findRootAbove(cwd) === checkout.root
    return {
      checkout,
      silo: findSilo(this.invocation.directories.data, checkout.id, slugOf(checkout.root)),
      launchCwd,
      configCwd: isOwn ? cwd : checkout.root,
    }
  }
}
