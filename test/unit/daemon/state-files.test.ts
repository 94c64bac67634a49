import assert from 'node:assert/strict'
import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {parseSessionId, type SessionId} from '../../../src/conversation/session-id.js'
import {createOrganization, nowhere} from '../../../src/daemon/organization.js'
import {createSessionIndex} from '../../../src/daemon/session-index.js'
import {createScratch, type Scratch} from '../../support/scratch.js'

const id = parseSessionId('11111111-0000-4000-8000-000000000000') as SessionId
const session = {id, agentSessionId: 'x', title: 'Hi', createdAtMs: 1000, updatedAtMs: 2000, isArchived: false}

describe('files that the daemon keeps', () => {
  let scratch: Scratch
  beforeEach(() => {
    scratch = createScratch()
    mkdirSync(join(scratch.path, 'serve', 'organization'), {recursive: true})
  })
  afterEach(() => scratch.remove())

  for (const damage of ['{"sessions": [{"id"', '', '[]', '\u0000']) {
    it(`D19, FR-15: an index that holds ${JSON.stringify(damage)} says nothing, and is set aside by the next change`, async () => {
      const folder = join(scratch.path, 'serve')
      const path = join(folder, 'index.json')
      writeFileSync(path, damage)
      const index = createSessionIndex(path, '/ws/a')
      assert.deepEqual(await index.list(false), [])
      assert.equal(readFileSync(path, 'utf8'), damage, 'reading changes nothing')
      index.remember(session)
      assert.deepEqual(await index.list(false), [session])
      assert.equal(readFileSync(`${path}.damaged`, 'utf8'), damage)
      index.remember(session)
      assert.deepEqual(readdirSync(folder).sort(), ['index.json', 'index.json.damaged', 'organization'])
    })
  }

  it('D19: a row of the index that is none is left out, and harms no other', async () => {
    const path = join(scratch.path, 'serve', 'index.json')
    createSessionIndex(path, '/ws/a').remember(session)
    const content = JSON.parse(readFileSync(path, 'utf8'))
    const rows = [null, 1, {}, {...content.sessions[0], id: 'x'}, {...content.sessions[0], created_at: 'soon'}]
    writeFileSync(path, JSON.stringify({...content, sessions: [...rows, ...content.sessions]}))
    assert.deepEqual(await createSessionIndex(path, '/ws/a').list(false), [session])
  })

  it('D22: groups and placements that are none are left out; a damaged file is set aside', () => {
    const path = join(scratch.path, 'serve', 'organization', 'w.json')
    const organization = createOrganization(scratch.path, 'w')
    const group = organization.addGroup({name: 'Mine', color: 'red'}, 0)
    organization.place(id, {groupId: group.id})
    const content = JSON.parse(readFileSync(path, 'utf8'))
    const placements = {...content.placements, x: null, y: {groupId: 1, color: null}}
    writeFileSync(path, JSON.stringify({...content, groups: [null, {id: 1}, ...content.groups], placements}))
    assert.deepEqual(organization.groups(), [group])
    assert.deepEqual(organization.placements(), {[id]: {...nowhere, groupId: group.id}})
    writeFileSync(path, '{"groups"')
    assert.deepEqual([organization.groups(), organization.placements()], [[], {}])
    organization.place(id, {color: 'blue'})
    assert.deepEqual(organization.placements(), {[id]: {groupId: null, color: 'blue'}})
    assert.equal(readFileSync(`${path}.damaged`, 'utf8'), '{"groups"')
  })
})
