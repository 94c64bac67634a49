import assert from 'node:assert/strict'
import {gzipSync} from 'node:zlib'
import fc from 'fast-check'
import {hasCode} from '../../../../src/errors/jp-error.js'
import {packageFilesIn} from '../../../../src/plugin/install/package-files.js'
import {readTarball} from '../../../../src/plugin/install/tarball.js'
import {fuzz} from '../../../support/fuzz.js'
import {samplePackage, sampleTarball} from '../../../support/packages.js'
import {type TarEntry, tarballOf, tarOf} from '../../../support/tar.js'

const {manifest, files} = samplePackage({version: '2.0.0', text: 'new'})
const good: TarEntry[] = [
  {path: 'package/package.json', content: JSON.stringify(manifest)},
  {path: 'package/main.js', content: files['main.js'] ?? ''},
]
const and = (...more: TarEntry[]): Buffer => tarballOf([...good, ...more])
const pax = (key: string, value: string): string => {
  const record = ` ${key}=${value}\n`
  const length = record.length + String(record.length + 2).length
  return `${length}${record}`
}
const archives: Readonly<Record<string, readonly [Buffer, RegExp]>> = {
  'a path that climbs': [and({path: 'package/../../../evil'}), /climbs out of the package/],
  'a path that climbs in a pax header': [
    and({path: 'PaxHeader', type: 'x', content: pax('path', 'package/../../evil')}, {path: 'package/ok'}),
    /climbs out of the package/,
  ],
  'an absolute path': [and({path: '/etc/evil'}), /absolute path/],
  'a drive letter': [and({path: 'C:/evil'}), /absolute path/],
  'a backslash': [and({path: 'package/..\\evil'}), /backslash/],
  'a symbolic link': [and({path: 'package/link', type: '2', linkTarget: '/etc/passwd'}), /is a symbolic link/],
  'a hard link': [and({path: 'package/link', type: '1', linkTarget: '/etc/passwd'}), /is a hard link/],
  'a device': [and({path: 'package/dev', type: '3'}), /is a device/],
  'a FIFO': [and({path: 'package/fifo', type: '6'}), /is a FIFO/],
  'an entry of an unknown kind': [and({path: 'package/what', type: 'Z'}), /of an unknown kind/],
  'one file twice': [and({path: 'package/main.js', content: 'evil'}), /"main.js" twice/],
  'names that differ by case': [and({path: 'package/MAIN.js', content: 'evil'}), /clash where case does not count/],
  'folders that differ by case': [and({path: 'package/a/x'}, {path: 'package/A/y'}), /clash where case does not count/],
  'a file that is a folder too': [and({path: 'package/main.js/x'}), /is a file and a folder/],
  'a size in a pax header': [
    and({path: 'p', type: 'x', content: pax('size', '5')}, {path: 'package/a'}),
    /sets "size"/,
  ],
  'a bomb': [gzipSync(Buffer.alloc(600 * 1024 * 1024)), /unpacks to more than 512 MB/],
  'a size beyond its end': [and({path: 'package/big', statedBytes: 1e9}), /ends in the middle of "package\/big"/],
  'a header that is damaged': [gzipSync(Buffer.concat([Buffer.alloc(512, 'x'), tarOf(good)])), /wrong checksum/],
  'a body that is cut short': [sampleTarball().subarray(0, 100), /cut short or damaged/],
  'no package.json': [tarballOf([{path: 'package/x', content: 'x'}]), /holds no package\.json/],
  'a package.json that is no JSON': [tarballOf([{path: 'package/package.json', content: '{'}]), /is not JSON/],
  'a web page': [Buffer.from('<!DOCTYPE html><h1>404</h1>'), /it is a web page/],
  'a file that is not compressed': [tarOf(good), /not compressed by gzip/],
  'an empty file': [Buffer.alloc(0), /it is empty/],
}

describe('reading a tarball', () => {
  it('P15: the files of a package, without its first folder, with their executable bits and long names', () => {
    const long = `package/${'deep/'.repeat(30)}file.txt`
    const read = readTarball(
      and(
        {path: 'package/run', content: '#!/bin/sh', mode: 0o755},
        {path: 'PaxHeader', type: 'x', content: pax('path', long)},
        {path: 'package/short', content: 'long one'},
        {path: '././@LongLink', type: 'L', content: `${long}2\0`},
        {path: 'package/short', content: 'longer'},
        {path: 'package/folder/', type: '5'},
      ),
      'x.tgz',
    )
    assert.deepEqual(
      read.slice(2).map(({path, isExecutable, content}) => [path, isExecutable, content.toString()]),
      [
        ['run', true, '#!/bin/sh'],
        [long.slice('package/'.length), false, 'long one'],
        [`${long.slice('package/'.length)}2`, false, 'longer'],
      ],
    )
  })

  for (const [what, [bytes, message]] of Object.entries(archives)) {
    it(`P16: an archive with ${what} is refused with its own message`, () => {
      assert.throws(
        () => {
          const read = readTarball(bytes, 'bad.tgz')
          packageFilesIn(read, 'bad.tgz')
        },
        (error: unknown) => hasCode(error, 'plugin_archive_invalid') && message.test(error.message),
      )
    })
  }

  it('Q30: whatever the bytes are, reading them ends in files or a refusal', () => {
    const base = tarOf(good)
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(base.length - 1), fc.nat(255)), {maxLength: 8}),
        fc.nat(base.length),
        (edits, cut) => {
          const bytes = Buffer.from(base)
          for (const [at, byte] of edits) bytes[at] = byte
          try {
            for (const {path} of readTarball(gzipSync(bytes.subarray(0, cut)), 'x'))
              assert.ok(!path.split('/').includes('..'))
          } catch (error) {
            assert.ok(hasCode(error, 'plugin_archive_invalid'), String(error))
          }
        },
      ),
      fuzz(300),
    )
  })
})
