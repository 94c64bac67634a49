import {type CheckedLayer, finished} from './check.js'
import {type GuardedSetting, guardLayer, pickPatterns} from './guard.js'
import {guards, neverCut} from './guard-table.js'
import type {Layer} from './layers.js'
import {mergeLayers} from './merge.js'
import type {Notice} from './notice.js'
import {createProvenance, type Provenance} from './provenance.js'
import {schema} from './schema-outline.js'
import {asData} from './stored.js'
import {type ConfigObject, type KeyPath, valueAt, without} from './value.js'

/** A guarded setting that did not take effect, with the layer that gave it. */
export type IgnoredSetting = GuardedSetting & {
  readonly layer: Layer
  readonly reason: 'untrusted' | 'never_from_checkout'
}

/** Layers laid over each other, most general first. */
export interface Stack {
  readonly value: ConfigObject
  readonly provenance: Provenance
  readonly ignored: readonly IgnoredSetting[]
  /** Digests of the guarded settings that a trusted checkout gave. */
  readonly lent: ReadonlySet<string>
  readonly notices: readonly Notice[]
  /** Lays a layer over the others; gives what took effect of it. */
  lay(layer: CheckedLayer): Promise<ConfigObject>
  /** `inherit = false` of a layer that comes next: the more general ones go, but for what no layer may cut (W13). */
  cut(fromCheckout: boolean): void
}

/** Creates an empty stack. `isAccepted` says what the user's trust covers. */
export const createStack = (isAccepted: (setting: GuardedSetting, layer: Layer) => boolean): Stack => {
  let value: ConfigObject = {}
  let ofUser: ConfigObject = {}
  const provenance = createProvenance()
  const ignored: IgnoredSetting[] = []
  const lent = new Set<string>()
  const notices: Notice[] = []

  const guarded = async ({layer, value: given}: CheckedLayer): Promise<ConfigObject> => {
    if (!layer.fromCheckout) return given
    // A stored conversation holds every default, so it is compared with what the layers below come to as a whole.
    const below = layer.kind === 'conversation' ? asData(await finished(value, provenance)) : value
    const {kept, leftOut, never} = guardLayer(given, below, (setting) => {
      const accepts = isAccepted(setting, layer)
      if (accepts && layer.kind !== 'conversation') lent.add(setting.digest)
      return accepts
    })
    ignored.push(...leftOut.map((setting) => ({...setting, layer, reason: 'untrusted' as const})))
    ignored.push(...never.map((setting) => ({...setting, layer, reason: 'never_from_checkout' as const})))
    return kept
  }

  return {
    get value() {
      return value
    },
    provenance,
    ignored,
    lent,
    notices,
    async lay(checked) {
      notices.push(...checked.notices)
      const above = withoutSecondExtends(await guarded(checked), value)
      value = mergeLayers(schema, {below: value, above}, provenance.witness(checked.layer))
      if (!checked.layer.fromCheckout) ofUser = mergeLayers(schema, {below: ofUser, above})
      return above
    },
    cut(fromCheckout) {
      const kept = pickPatterns(ofUser, neverCut)
      const guardedPart = fromCheckout ? pickPatterns(value, guardPatterns) : {}
      value = mergeLayers(schema, {below: guardedPart, above: kept})
      ofUser = fromCheckout ? pickPatterns(ofUser, guardPatterns) : kept
      provenance.cut((path) => isAtOrBelow(value, path))
    },
  }
}

/** `extends` has been followed when files were read; what is shown is the first one. */
const withoutSecondExtends = (above: ConfigObject, below: ConfigObject): ConfigObject =>
  below['extends'] === undefined ? above : without(above, ['extends'])

const guardPatterns: readonly KeyPath[] = guards.map(({pattern}) => pattern)

const isAtOrBelow = (value: ConfigObject, path: KeyPath): boolean => valueAt(value, path) !== undefined
