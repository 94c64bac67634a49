// Mocha's spec reporter with the closing line that CI reads: `N passed, N failed, N skipped`.
'use strict'
const {reporters} = require('mocha')

module.exports = class ClosingLine extends reporters.Spec {
  done(failures, finish) {
    const {passes, failures: failed, pending} = this.stats
    process.stdout.write(`${passes} passed, ${failed} failed${pending > 0 ? `, ${pending} skipped` : ''}\n`)
    finish(failures)
  }
}
