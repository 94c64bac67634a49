import * as z from 'zod'

/** A field of the zod schema. */
export type ZodField = z.core.$ZodType

/** What stands at a field of the zod schema, with what wraps it (defaults, optional) taken off. */
export type ZodNode =
  | {readonly kind: 'table'; readonly keys: ReadonlyMap<string, ZodField>; readonly other: ZodField | undefined}
  | {readonly kind: 'map'; readonly key: ZodField; readonly value: ZodField}
  | {readonly kind: 'list'; readonly item: ZodField}
  | {readonly kind: 'choice'; readonly options: readonly ZodField[]}
  | {readonly kind: 'free'}
  | {readonly kind: 'leaf'}

/** Takes defaults and the like off a field. */
export const bareZod = (field: ZodField): ZodField =>
  field instanceof z.ZodDefault ||
  field instanceof z.ZodPrefault ||
  field instanceof z.ZodOptional ||
  field instanceof z.ZodNonOptional
    ? bareZod(field.def.innerType)
    : field

/** Reads a bare field. */
export const zodNodeOf = (field: ZodField): ZodNode => {
  if (field instanceof z.ZodObject) {
    const catchall = field.def.catchall
    return {
      kind: 'table',
      keys: new Map(Object.entries(field.shape)),
      other: catchall === undefined || catchall instanceof z.ZodNever ? undefined : catchall,
    }
  }
  if (field instanceof z.ZodRecord) return {kind: 'map', key: field.def.keyType, value: field.def.valueType}
  if (field instanceof z.ZodArray) return {kind: 'list', item: field.def.element}
  if (field instanceof z.ZodUnion) return {kind: 'choice', options: field.def.options}
  return field instanceof z.ZodUnknown ? {kind: 'free'} : {kind: 'leaf'}
}

/** The description of a field, whichever of its wrappers carries it. */
export const zodAboutOf = (field: ZodField): string =>
  z.globalRegistry.get(field)?.description ?? z.globalRegistry.get(bareZod(field))?.description ?? ''
