import {JpError} from '../../errors/jp-error.js'

type JsonObject = Readonly<Record<string, unknown>>

/** One entry of `configs`: what `query.cfg` may name. */
export type NamedConfig = {readonly segment: string; readonly namespace: string; readonly name: string}

/** The configuration of one checkout, as `read_config` and `list_configs` give it. */
export interface WorkspaceConfiguration {
  /** The resolved configuration as a partial. `reload` reads the files again; a failure keeps the last good one. */
  read(reload: boolean): Promise<JsonObject>
  /** Sorted, each once. */
  listNamed(): Promise<readonly NamedConfig[]>
}

/**
 * Creates the configuration of a checkout.
 * @param resolve reads everything anew.
 * @param isFixed keep what was read until `reload`: a single-scope plugin's is that of its launch (S11).
 */
export const createWorkspaceConfiguration = (deps: {
  readonly resolve: () => Promise<JsonObject>
  readonly listNamed: () => Promise<readonly NamedConfig[]>
  readonly isFixed: boolean
  readonly initial?: JsonObject
}): WorkspaceConfiguration => {
  let known = deps.initial
  return {
    async read(reload) {
      if (known !== undefined && deps.isFixed && !reload) return known
      known = await deps.resolve()
      return known
    },
    listNamed: () => deps.listNamed(),
  }
}

/**
 * The value at a dotted path.
 * @throws JpError `config_path_unknown`.
 */
export const valueAt = (config: JsonObject, path: string): unknown => {
  let value: unknown = config
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) {
      throw new JpError('config_path_unknown', `The configuration has nothing at ${JSON.stringify(path)}.`)
    }
    value = (value as JsonObject)[key]
  }
  return value
}
