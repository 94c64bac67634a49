// Makes JavaScript of src/ without any package: Node takes the types off. Run it after each change.
import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {stripTypeScriptTypes} from 'node:module'

process.removeAllListeners('warning')
mkdirSync('dist', {recursive: true})
for (const file of readdirSync('src').filter((name) => name.endsWith('.ts'))) {
  const text = stripTypeScriptTypes(readFileSync(`src/${file}`, 'utf8')).replaceAll(/(from '\.\/\w+)\.ts'/g, "$1.js'")
  writeFileSync(`dist/${file.replace(/\.ts$/, '.js')}`, text)
}
