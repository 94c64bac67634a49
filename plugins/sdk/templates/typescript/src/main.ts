import {connect} from './jp.ts'

const jp = await connect(__PROTOCOL__)
if (jp !== undefined) {
  const conversations = await jp.listConversations(__WORKSPACE__)
  jp.print(`__NAME__: ${conversations.length} conversations\n`)
  jp.exit(0)
}
