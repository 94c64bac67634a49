import {readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'

const longAgo = '2020-01-01T00:00:00.000Z'

const recordsIn = (data: string): {file: string; path: string; last_used: string}[] =>
  readdirSync(join(data, 'workspace')).flatMap((silo) => {
    const registry = join(data, 'workspace', silo, 'roots')
    return readdirSync(registry)
      .filter((name) => name.endsWith('.json'))
      .map((name) => ({file: join(registry, name), ...JSON.parse(readFileSync(join(registry, name), 'utf8'))}))
  })

/** Makes every registered checkout look unused, so that {@link usedRoots} tells where the next run acted. */
export const ageRoots = (data: string): void => {
  for (const {file, path, last_used} of recordsIn(data))
    if (last_used !== longAgo) writeFileSync(file, JSON.stringify({path, last_used: longAgo}))
}

/** The checkouts that runs have acted in since {@link ageRoots}: a run that loads registers where it acts. */
export const usedRoots = (data: string): string[] =>
  recordsIn(data)
    .filter(({last_used}) => last_used !== longAgo)
    .map(({path}) => path)
