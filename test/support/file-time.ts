import {mkdtempSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'

/**
 * Waits until the time that the file system gives to files has moved on: what is changed next bears another time than what
 * was there before. On many systems it moves every 4 or 10 ms, on some once a second, and a fast machine does much in between.
 * @param folder of the same file system; what happens in it meanwhile is undone.
 */
export const untilNextFileTime = (folder: string): void => {
  const own = mkdtempSync(join(folder, 'time-'))
  const file = join(own, 'x')
  const write = (): bigint => {
    writeFileSync(file, '')
    return statSync(file, {bigint: true}).ctimeNs
  }
  const before = write()
  while (write() === before);
  rmSync(own, {recursive: true})
}
