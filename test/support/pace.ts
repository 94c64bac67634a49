/** How much longer than it should a thing may take while other tests have the machine too. */
const leniency = 30

/**
 * The bound for what must be done within so long: exact in a soak, which has the machine for itself. In small, what waits
 * for something that never comes is found, and a machine that is busy fails nothing.
 * @param ms unit: milliseconds.
 */
export const withinMs = (ms: number): number => (process.env['JP_SOAK'] === '1' ? ms : ms * leniency)
