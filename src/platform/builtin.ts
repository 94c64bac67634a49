type Builtins = typeof process.getBuiltinModule

/** A module of Node's own, loaded at the first call: some take milliseconds, and most runs need none of them. */
export const builtin: Builtins = (name: string) => process.getBuiltinModule(name)
