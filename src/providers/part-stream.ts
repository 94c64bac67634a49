import type {LanguageModelV4StreamPart} from '@ai-sdk/provider'

/** Makes the parts of one call. Its signal is aborted when the call is given up, by its caller or by its reader. */
export type PartMaker = (signal: AbortSignal) => AsyncGenerator<LanguageModelV4StreamPart, void, undefined>

/**
 * The parts as a stream that is pulled: a part is made when the one before it was taken, so that nothing that was made is
 * lost to an error behind it. A reader that goes away stops the maker.
 */
export const partStream = (
  make: PartMaker,
  outer: AbortSignal | undefined,
): ReadableStream<LanguageModelV4StreamPart> => {
  const stop = new AbortController()
  const parts = make(outer === undefined ? stop.signal : AbortSignal.any([outer, stop.signal]))
  return new ReadableStream({
    async pull(controller) {
      const next = await parts.next()
      if (next.done === true) controller.close()
      else controller.enqueue(next.value)
    },
    cancel: (reason) => stop.abort(reason),
  })
}
