#!/usr/bin/env node
// The launcher: it checks the Node version, turns the compile cache on, and starts jp. It runs on any Node that can
// parse it, so it uses nothing new.
'use strict'

const [major, minor] = process.versions.node.split('.').map(Number)

if (major > 22 || (major === 22 && minor >= 22)) {
  const path = require('node:path')
  const cacheHome = process.env.XDG_CACHE_HOME
  const cache =
    cacheHome && path.isAbsolute(cacheHome)
      ? cacheHome
      : path.join(process.env.HOME || require('node:os').homedir(), '.cache')
  require('node:module').enableCompileCache(path.join(cache, 'jp', 'v8'))
  require('../dist/entry.js').main(process.argv.slice(2))
} else {
  require('./hand-over.js').handOver()
}
