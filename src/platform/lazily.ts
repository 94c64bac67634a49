type Made<Makers> = {readonly [Key in keyof Makers]: Makers[Key] extends () => infer Value ? Value : never}

/** An object whose members are made when they are first asked for, each once. */
export const lazily = <Makers extends Record<string, () => unknown>>(makers: Makers): Made<Makers> => {
  const made = {}
  for (const [key, make] of Object.entries(makers)) {
    const get = (): unknown => {
      const value = make()
      Object.defineProperty(made, key, {value, enumerable: true})
      return value
    }
    Object.defineProperty(made, key, {get, enumerable: true, configurable: true})
  }
  return made as Made<Makers>
}
