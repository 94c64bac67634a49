import type {Checkout} from '../workspace/checkout.js'
import type {ExecutionContext} from './execution-context.js'
import type {LadderFacts} from './ladder-facts.js'
import type {Launch} from './launch.js'

/** The three directories that are kept apart (W11). */
export const directoriesOf = (
  checkout: Checkout,
  facts: LadderFacts,
  launch: Launch,
): Pick<ExecutionContext, 'launchCwd' | 'cwdRoot' | 'childCwd' | 'configCwd'> => {
  const launchCwd = launch.environment.cwd
  const cwdRoot = facts.cwd.kind === 'inside' ? facts.cwd.checkout.root : undefined
  const childCwd = checkout.root === cwdRoot ? undefined : checkout.root
  return {launchCwd, cwdRoot, childCwd, configCwd: childCwd ?? launchCwd}
}
