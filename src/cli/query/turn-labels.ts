import {JpError} from '../../errors/jp-error.js'
import {configuredLabels, type Labelled, type Labels} from '../../turn/configured-labels.js'
import type {PreparedTurn} from '../../turn/prepare-turn.js'
import {interruptible} from '../interruptible.js'
import type {QueryOptions} from './query-options.js'
import type {QueryScene} from './query-scene.js'

/**
 * The labels that a conversation gets with its turn: those of `conversation.labels`, then those that were typed.
 * @param labelled what it is; undefined for one that goes on, which gets only what was typed.
 * @throws JpError `usage` for a rule that does not exist, `interrupted`.
 */
export const turnLabels = async (
  {invocation, place}: QueryScene,
  {labels, labelRules}: QueryOptions,
  {prepared, labelled}: {readonly prepared: PreparedTurn; readonly labelled: Labelled | undefined},
): Promise<Labels> => {
  const rules = prepared.config.conversation.labels
  const unknown = labelRules.find((key) => !Object.hasOwn(rules, key))
  if (unknown !== undefined) {
    const known = Object.keys(rules)
    throw new JpError('usage', `There is no conversation.labels.${unknown}.`, {
      hint: known.length === 0 ? `--label ${unknown} puts on a plain label.` : `There are: ${known.join(', ')}.`,
    })
  }
  const {prompter, output, environment} = invocation
  const configured = await interruptible('Interrupted: the message was not sent.', (signal) =>
    configuredLabels(
      rules,
      {labelled, keys: labelRules},
      {
        root: place.checkout.root,
        env: environment.env,
        prompter,
        warn: (text) => output.warn(text),
        signal,
      },
    ),
  )
  return {...configured, ...labels}
}
