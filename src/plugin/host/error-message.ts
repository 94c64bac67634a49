import {JpError} from '../../errors/jp-error.js'
import type {ToPluginOf} from '../../protocol/host-to-plugin.js'

/** The request that failed. */
export type FailedRequest = {readonly id: string | undefined; readonly request: string}

/**
 * The one table from an error to an `error` message. The code goes as it is, with the fields that it calls for: `roots`,
 * `last_root`. What is no JpError becomes `internal`, told in brief.
 */
export const errorMessage = ({id, request}: FailedRequest, error: unknown): ToPluginOf<'error'> => {
  const known = error instanceof JpError ? error : new JpError('internal', 'Something went wrong inside jp.')
  const {roots, last_root} = known.details as Pick<ToPluginOf<'error'>, 'roots' | 'last_root'>
  return {
    type: 'error',
    ...(id === undefined ? {} : {id}),
    request,
    code: known.code,
    message: known.hint === undefined ? known.message : `${known.message} ${known.hint}`,
    ...(roots === undefined ? {} : {roots}),
    ...(last_root === undefined ? {} : {last_root}),
  }
}
