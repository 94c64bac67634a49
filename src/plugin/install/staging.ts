import {mkdirSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {writeFailure} from '../../platform/file-errors.js'
import {makeDirectory} from '../../platform/files.js'
import {isProcessAlive} from '../../platform/processes.js'

const stagingName = /^\.staging\.(\d+)-\d+\.tmp$/
let stagings = 0

/**
 * Works in an empty folder of the store, on the file system that the result is moved within. It is removed afterwards; one
 * that a killed run left is swept by the next.
 * @throws JpError `disk_full`, `file_unwritable`, and what `work` throws.
 */
export const inStaging = async <Result>(
  store: {readonly folder: string; readonly pid: number},
  work: (folder: string) => Promise<Result>,
): Promise<Result> => {
  const folder = join(store.folder, `.staging.${store.pid}-${stagings++}.tmp`)
  try {
    makeDirectory(store.folder, 'user')
    rmSync(folder, {recursive: true, force: true})
    mkdirSync(folder, {mode: 0o700})
  } catch (error) {
    throw writeFailure(folder, error)
  }
  try {
    return await work(folder)
  } finally {
    rmSync(folder, {recursive: true, force: true})
  }
}

/** True for the staging folder of a process that is still at work. */
export const isStagingOfTheLiving = (name: string): boolean => {
  const pid = stagingName.exec(name)?.[1]
  return pid !== undefined && isProcessAlive(Number(pid))
}
