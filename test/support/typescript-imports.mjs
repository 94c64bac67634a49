// Sources import each other by the name they have once built (`./x.js`). Tests run the sources, so a relative `.js` that
// is not there stands for the `.ts` beside it.
import {existsSync} from 'node:fs'
import {registerHooks} from 'node:module'
import {fileURLToPath} from 'node:url'

registerHooks({
  resolve(specifier, context, next) {
    if (/^\.\.?\//.test(specifier) && specifier.endsWith('.js') && context.parentURL?.startsWith('file:')) {
      const url = new URL(specifier, context.parentURL)
      if (!existsSync(fileURLToPath(url))) return next(`${specifier.slice(0, -3)}.ts`, context)
    }
    return next(specifier, context)
  },
})
