/**
 * Marks a flag whose value may be left out: `--tmp`, `--tmp=2h`. The argv layer reads the mark from the manifest and never
 * takes the next word for the value; oclif then sees an empty one.
 */
export const optionalValue = <Flag extends object>(flag: Flag): Flag => Object.assign(flag, {optionalValue: true})
