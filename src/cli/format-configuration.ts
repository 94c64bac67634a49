import {holderOf} from '../bootstrap/launch.js'
import {formatFiles} from '../config/format-files.js'
import {JpError} from '../errors/jp-error.js'
import {type ConfigContext, configPlace} from './configuration.js'
import {type EditRequest, targetOf} from './edit-configuration.js'
import type {Invocation} from './invocation.js'

/** Which files, and whether they are only looked at. */
export type FormatFlags = EditRequest['flags'] & {readonly all: boolean; readonly check: boolean}

/**
 * Sets the white space of configuration files right, or with `check` only tells which would change.
 * @throws JpError `config_unformatted` with `check` when there is one, and as `formatFiles`.
 */
export const formatConfiguration = async (
  invocation: Invocation,
  context: ConfigContext,
  flags: FormatFlags,
): Promise<void> => {
  const {output} = invocation
  const place = {...configPlace(invocation, context), holder: holderOf(invocation)}
  const files = await formatFiles(place, flags.all ? 'all' : targetOf(flags), !flags.check)
  if (output.isJson) output.json(files)
  else for (const {file, changed} of files) output.line(`${lineOf(changed, flags.check)} ${file}`, undefined)
  const wrong = files.filter(({changed}) => changed)
  if (!flags.check || wrong.length === 0) return
  throw new JpError('config_unformatted', `${wrong.length} of ${files.length} files would be changed.`, {
    hint: 'Format them: the same command without --check.',
  })
}

const lineOf = (changed: boolean, isCheck: boolean): string => {
  if (!changed) return 'Fine already:'
  return isCheck ? 'Would change:' : 'Formatted:'
}
