import {readFileSync} from 'node:fs'
import {connect} from './jp.ts'

const {name, version, oclif} = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const help = 'jp __NAME__   tell how many __THINGS__ there are\n'

const jp = await connect(oclif.jp.protocol, {describe: () => ({...oclif.jp, name, version, help})})
if (jp !== undefined) {
  const things = await __ASK__
  jp.print(jp.init.args.includes('--help') ? help : `__NAME__: ${things.length} __THINGS__\n`)
  jp.exit(0)
}
