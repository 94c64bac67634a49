import {join} from 'node:path'
import type {ConfigPlace} from '../../src/config/layers.js'
import {type Resolution, type ResolveOptions, resolveConfiguration} from '../../src/config/pipeline.js'
import {createScratch, type Scratch} from './scratch.js'

/** A checkout in a scratch folder, with all places that configuration comes from. */
export type ConfigScratch = Scratch & {
  readonly root: string
  readonly silo: string
  readonly globalFolder: string
  place(overrides?: Partial<ConfigPlace>): ConfigPlace
  resolve(options?: Partial<ResolveOptions>, overrides?: Partial<ConfigPlace>): Promise<Resolution>
}

/** Creates a scratch folder with a checkout `app` of the workspace `a1b2c`. */
export const createConfigScratch = (): ConfigScratch => {
  const scratch = createScratch()
  const root = scratch.checkout('app', 'a1b2c')
  const silo = scratch.folder('silo')
  const globalFolder = scratch.folder('global')
  const place = (overrides: Partial<ConfigPlace> = {}): ConfigPlace => ({
    directories: {
      data: scratch.data,
      config: globalFolder,
      cache: join(scratch.home, 'c'),
      state: join(scratch.home, 's'),
    },
    checkoutRoot: root,
    configCwd: root,
    silo,
    env: {},
    ...overrides,
  })
  return {
    ...scratch,
    root,
    silo,
    globalFolder,
    place,
    resolve: (options = {}, overrides = {}) => resolveConfiguration(place(overrides), {launchCwd: root, ...options}),
  }
}
