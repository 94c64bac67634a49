import {readFileSync} from 'node:fs'

/** Calls that can change what lies in a folder. */
const calls =
  'open,openat,creat,rename,renameat,renameat2,unlink,unlinkat,rmdir,mkdir,mkdirat,symlink,symlinkat,link,linkat,chmod,fchmodat,utimensat,truncate'

/** The command before a command that traces it, its children too, into a file. */
export const tracing = (log: string): readonly string[] => [
  'strace',
  '-f',
  '--seccomp-bpf',
  '-qq',
  '-s',
  '4096',
  '-e',
  `trace=${calls}`,
  '-o',
  log,
]

/** The calls of a trace about paths below these folders: those that write, and how many there are in all. */
export const tracedWrites = (log: string, folders: readonly string[]): {writes: string[]; all: number} => {
  const lines = readFileSync(log, 'utf8').split('\n')
  const below = lines.filter((line) => folders.some((folder) => line.includes(`"${folder}`)))
  const isWrite = (line: string) =>
    / open(?:at)?\(/.test(line) ? /O_(?:WRONLY|RDWR|CREAT|TRUNC)/.test(line) : !/ = -1 /.test(line)
  return {writes: below.filter(isWrite), all: below.length}
}
