import assert from 'node:assert/strict'
import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {decodeRows, encodeRows} from '../../../src/conversation/listing-codec.js'
import {deriveSessionId, parseSessionId} from '../../../src/conversation/session-id.js'
import type {ConversationId, WorkspaceId} from '../../../src/platform/id-grammar.js'
import {atOnce} from '../../../src/platform/steps.js'
import {openTestStore, writeConversation} from '../../support/conversations.js'
import {createScratch, listing, type Scratch} from '../../support/scratch.js'

const workspace = 'abcde' as WorkspaceId
const id = 'jp-c17000000000' as ConversationId
const given = parseSessionId('0B0E7C4A-1111-4222-8333-444455556666')

describe('sessions of conversations', () => {
  let scratch: Scratch
  let silo: string
  let root: string
  beforeEach(() => {
    scratch = createScratch()
    silo = scratch.folder('silo')
    root = scratch.checkout('app', workspace)
  })
  afterEach(() => scratch.remove())
  const open = () => openTestStore({root, silo})

  it('D31: a session id is a lower-case UUID derived from the workspace id and the conversation id', () => {
    assert.equal(deriveSessionId(workspace, id), 'ccadf57a-9cf0-8ea8-889d-fbe561f4b0ea')
    assert.notEqual(deriveSessionId('abcdf' as WorkspaceId, id), deriveSessionId(workspace, id))
    assert.equal(given, '0b0e7c4a-1111-4222-8333-444455556666')
    assert.equal(parseSessionId(`${given}0`), undefined)
    assert.equal(parseSessionId('../../../../etc/passwd'), undefined)
  })

  it('D31: finding the conversation of a session writes nothing', () => {
    writeConversation(join(silo, 'conversations'), '17000000000-a-title')
    writeConversation(join(root, '.jp', 'conversations'), '17000000001')
    const before = listing(scratch.path)
    const other = 'jp-c17000000001' as ConversationId
    assert.equal(atOnce(open().findSession(workspace, deriveSessionId(workspace, id))), id)
    assert.equal(atOnce(open().findSession(workspace, deriveSessionId(workspace, other))), other)
    assert.equal(atOnce(open().findSession('abcdf' as WorkspaceId, deriveSessionId(workspace, id))), undefined)
    assert.equal(open().sessionOf(workspace, id), deriveSessionId(workspace, id))
    assert.deepEqual(listing(scratch.path), before)
  })

  it('D31: an id that a caller gave is kept beside the last-root record, and the derived one is no other name for it', () => {
    assert.ok(given)
    const conversation = open().create()
    conversation.recordSession(given)
    conversation.recordRoot(root)
    assert.equal(atOnce(open().findSession(workspace, given)), undefined)
    conversation.append([{type: 'turn_start'}])
    conversation.release()
    assert.equal(atOnce(open().findSession(workspace, given)), conversation.id)
    assert.equal(open().sessionOf(workspace, conversation.id), given)
    assert.equal(atOnce(open().findSession(workspace, deriveSessionId(workspace, conversation.id))), undefined)
    const [copy] = open().list().entries
    assert.equal(copy?.sessionId, given)
    assert.equal(copy?.listed.last_root?.path, root)
    const file = join(silo, 'conversations', conversation.id.slice('jp-c'.length), 'metadata.local.json')
    assert.deepEqual(Object.keys(JSON.parse(readFileSync(file, 'utf8'))), ['session_id', 'last_root'])
    assert.equal(
      existsSync(join(root, '.jp', 'conversations', conversation.id.slice('jp-c'.length), 'metadata.local.json')),
      false,
    )
  })

  it('D31, S30: a listing that is remembered keeps the ids that callers gave', () => {
    const read = {metadata: {last_activated_at: '', labels: {}}, eventsCount: 1, lastRoot: undefined, isOneStream: true}
    const reads = new Map([
      [id, {...read, sessionId: undefined}],
      ['jp-c17000000001' as ConversationId, {...read, sessionId: given}],
    ])
    const row = {stamps: [1, 2, 3], from: 0, length: 3, isOneStream: true}
    const rows = new Map([...reads].map(([each, known]) => [each, {...row, read: () => known}]))
    const decoded = decodeRows(encodeRows(rows))
    for (const [each, known] of reads) assert.deepEqual(decoded?.find(each)?.read(), known)
  })

  it('W21: an id that was promised is taken when it is free, else the next', () => {
    const first = open().create({id})
    assert.equal(first.id, id)
    const second = open().create({id})
    assert.equal(second.id, 'jp-c17000000001')
    first.release()
    second.release()
  })
})
