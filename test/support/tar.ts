import {gzipSync} from 'node:zlib'

/** One entry of an archive that a test makes; anything may be wrong with it. */
export type TarEntry = {
  readonly path: string
  readonly content?: string | Uint8Array
  readonly mode?: number
  /** The type byte: `0` a file, `1` a hard link, `2` a symbolic link, `3` a device, `5` a folder, `6` a FIFO, `x` pax, `L` a long name. */
  readonly type?: string
  readonly linkTarget?: string
  /** The size that the header states, when it is to be another than that of the content. */
  readonly statedBytes?: number
}

const blockBytes = 512

const headerOf = (entry: TarEntry, length: number): Buffer => {
  const header = Buffer.alloc(blockBytes)
  const octal = (value: number, width: number): string => `${value.toString(8).padStart(width - 1, '0')}\0`
  header.write(entry.path, 0, 100, 'utf8')
  header.write(octal(entry.mode ?? 0o644, 8), 100)
  header.write(octal(0, 8), 108)
  header.write(octal(0, 8), 116)
  header.write(octal(entry.statedBytes ?? length, 12), 124)
  header.write(octal(0, 12), 136)
  header.write('        ', 148)
  header.write(entry.type ?? '0', 156)
  header.write(entry.linkTarget ?? '', 157, 100, 'utf8')
  header.write('ustar\x0000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

/** The archive of these entries, uncompressed. */
export const tarOf = (entries: readonly TarEntry[]): Buffer =>
  Buffer.concat([
    ...entries.flatMap((entry) => {
      const content = Buffer.from(entry.content ?? '')
      const padding = Buffer.alloc((blockBytes - (content.length % blockBytes)) % blockBytes)
      return [headerOf(entry, content.length), content, padding]
    }),
    Buffer.alloc(2 * blockBytes),
  ])

/** The archive of these entries as npm serves it. */
export const tarballOf = (entries: readonly TarEntry[]): Buffer => gzipSync(tarOf(entries))

/** The tarball of a package: `package.json`, and files by their path in the package; those in `executables` are executable. */
export const packageTarball = (
  manifest: Readonly<Record<string, unknown>>,
  files: Readonly<Record<string, string>> = {},
  executables: readonly string[] = [],
): Buffer =>
  tarballOf([
    {path: 'package/package.json', content: JSON.stringify(manifest)},
    ...Object.entries(files).map(([path, content]) => ({
      path: `package/${path}`,
      content,
      mode: executables.includes(path) ? 0o755 : 0o644,
    })),
  ])
