/** What is done around each HTTP call of a provider. */
export type NetworkHooks = {
  /** Gives the request's body its last shape: parameters that the provider's package has no word for. */
  shapeBody(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>
  /** Bytes have arrived, comments that keep a connection alive included. */
  onBytes(): void
}

/** The `fetch` that a provider's package is given. */
export const createFetch =
  (hooks: NetworkHooks): typeof globalThis.fetch =>
  async (input, init) => {
    const response = await fetch(input, shaped(init, hooks))
    hooks.onBytes()
    if (response.body === null) return response
    const watched = response.body.pipeThrough(
      new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        transform(bytes, controller) {
          hooks.onBytes()
          controller.enqueue(bytes)
        },
      }),
    )
    return new Response(watched, response)
  }

const shaped = (init: RequestInit | undefined, hooks: NetworkHooks): RequestInit | undefined => {
  if (typeof init?.body !== 'string') return init
  const body: unknown = JSON.parse(init.body)
  if (!isRecord(body)) return init
  const next = hooks.shapeBody(body)
  return next === body ? init : {...init, body: JSON.stringify(next)}
}

/** Lays `over` over `base`, table by table; lists and scalars are replaced. */
export const overlay = (
  base: Readonly<Record<string, unknown>>,
  over: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> => {
  const keys = Object.keys(over)
  if (keys.length === 0) return base
  const merged: Record<string, unknown> = {...base}
  for (const key of keys) {
    const [under, value] = [base[key], over[key]]
    merged[key] = isRecord(under) && isRecord(value) ? overlay(under, value) : value
  }
  return merged
}

/** True for a plain JSON object. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
