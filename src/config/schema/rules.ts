import type * as z from 'zod'
import type {Expansion} from '../expansions.js'
import type {Refinement} from '../refinements.js'

/** What the schema says of a field beyond its type: how layers merge, and which short spellings it takes. */
export type Rules = {
  /** A higher layer's plain list appends; without it, it replaces. For a text: strategies may be named. */
  readonly merge?: 'append' | 'text'
  /** Equal items of a list are kept once. */
  readonly dedup?: true
  /** A free table is merged key by key at every depth. */
  readonly deep?: true
  /** What turns a short or an old spelling into the type itself. */
  readonly expand?: Expansion
  /** What must hold beyond the types; the schema checks it too. */
  readonly refine?: Refinement
}

/** Rules as they are written beside a field. */
export type ZodRules = Rules & {
  /** Short or old spellings that a layer may use, next to the type itself. */
  readonly shorthand?: z.ZodType
}

const rules = new WeakMap<z.core.$ZodType, ZodRules>()

/** Gives a field its rules. To be called before `describe`, `optional` and `default`, which wrap or copy the field. */
export const ruled = <Field extends z.ZodType>(field: Field, its: ZodRules): Field => {
  rules.set(field, its)
  return field
}

/** The rules of a field. */
export const zodRulesOf = (field: z.core.$ZodType): ZodRules => {
  const parent = field._zod.parent
  return rules.get(field) ?? (parent === undefined ? {} : zodRulesOf(parent))
}
