import {setFlagsFromString} from 'node:v8'

/**
 * Lets the space for new objects grow to its full size at its first collection, instead of through five of them: a run
 * that lasts a fifth of a second spends a tenth of it collecting what it is about to drop anyway.
 */
export const growHeapFast = (): void => setFlagsFromString('--semi-space-growth-factor=16')
