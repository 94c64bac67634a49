// Preloaded into a run of jp: at its end it leaves the names of the chunks that the run loaded (.ci/merge-chunks.mjs).
const {writeFileSync} = require('node:fs')
const {basename} = require('node:path')

process.on('exit', () => {
  const chunks = Object.keys(require.cache)
    .map((file) => basename(file))
    .filter((name) => /^chunk-\w+\.js$/.test(name))
  writeFileSync(process.env.RECORD_CHUNKS, JSON.stringify(chunks))
})
