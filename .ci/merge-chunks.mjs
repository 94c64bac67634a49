// Merges the chunks of dist/ that the usual commands load together, and marks the functions that they call
// (docs/decisions/0001): a file costs 0.2 ms whatever it holds, and Node keeps only what V8 compiled with the file.
import {readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {compileFunction} from 'node:vm'
import {profileRuns} from './profile-runs.mjs'

const isChunk = (name) => name.startsWith('chunk-')

/** Merges and marks what is in the built `dist` of `root`. */
export const mergeChunks = async (root, dist) => {
  const runs = await profileRuns(root)
  const groups = groupsOf(runs.map((loaded) => [...loaded.keys()].filter(isChunk)))
  const partOf = new Map(groups.flatMap(({part, chunks}) => chunks.map((chunk) => [chunk, part])))
  const textOf = (name) =>
    markCalled(
      readFileSync(join(dist, name), 'utf8'),
      runs.flatMap((loaded) => loaded.get(name) ?? []),
    ).replaceAll(/require\("\.\/(chunk-\w+\.js)"\)/g, (whole, chunk) =>
      partOf.has(chunk) ? `require("./${partOf.get(chunk)}")("${chunk}")` : whole,
    )
  const alone = readdirSync(dist).filter((name) => name === 'entry.js' || (isChunk(name) && !partOf.has(name)))
  const texts = [
    ...groups.map(({part, chunks}) => [part, partText(chunks, textOf)]),
    ...alone.map((name) => [name, textOf(name)]),
  ]
  for (const chunk of partOf.keys()) rmSync(join(dist, chunk))
  for (const [name, text] of texts) {
    // It must still be JavaScript: this throws where it is not.
    compileFunction(text, [], {filename: name})
    writeFileSync(join(dist, name), text)
  }
}

/** Chunks by the runs that load them. Those that no run loads, and those that have no company, stay as they are. */
const groupsOf = (runs) => {
  const groups = new Map()
  for (const chunk of new Set(runs.flat())) {
    const key = runs.map((chunks) => (chunks.includes(chunk) ? '1' : '0')).join('')
    groups.set(key, [...(groups.get(key) ?? []), chunk])
  }
  return [...groups]
    .filter(([, chunks]) => chunks.length > 1)
    .map(([key, chunks]) => ({part: `part-${key}.js`, chunks}))
}

/** One file of several chunks: a function that gives what one of them exports, and runs it when it is first asked for. */
const partText = (chunks, textOf) => {
  const bodies = chunks.map(
    (name) => `${JSON.stringify(name)}:(function(exports,require,module,__filename,__dirname){${textOf(name)}\n})`,
  )
  return `var made={},chunks={${bodies.join(',\n')}};
module.exports=function(name){var module=made[name];if(module===undefined){module=made[name]={exports:{}};\
chunks[name](module.exports,require,module,__filename,__dirname)}return module.exports};
`
}

/**
 * Puts the functions that were called in parentheses, where they are expressions: V8 compiles such a function with the
 * file instead of when it is called, so that it stands in the compile cache. `called` are places in `text`.
 */
const markCalled = (text, called) => {
  const places = new Map(called.map((place) => [`${place.startOffset}-${place.endOffset}`, place]))
  const marks = [...places.values()]
    .filter(({startOffset, endOffset}) => isExpression(text.slice(startOffset, endOffset), text[startOffset - 1]))
    .flatMap(({startOffset, endOffset}) => [
      {at: startOffset, mark: '('},
      {at: endOffset, mark: ')'},
    ])
    .sort((left, right) => left.at - right.at || (left.mark === ')' ? -1 : 1))
  let at = 0
  const pieces = marks.map(({at: next, mark}) => {
    const piece = text.slice(at, next) + mark
    at = next
    return piece
  })
  return pieces.join('') + text.slice(at)
}

const isExpression = (text, before) => {
  if (/^(?:async )?function\b/.test(text)) return before !== undefined && !/[;{}\n]/.test(before)
  return /^(?:async ?)?(?:\(|[\w$]+=>)/.test(text) && !/^async\([^)]*\)\{/.test(text)
}
