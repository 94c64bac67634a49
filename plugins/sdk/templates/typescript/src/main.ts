import {connect} from './jp.ts'

const jp = await connect(__PROTOCOL__)
if (jp !== undefined) {
  const things = await __ASK__
  jp.print(`__NAME__: ${things.length} __THINGS__\n`)
  jp.exit(0)
}
