import assert from 'node:assert/strict'
import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {openCheckout} from '../../../src/bootstrap/open-checkout.js'
import {createLaunch} from '../../support/launch.js'
import {createScratch, listing, type Scratch} from '../../support/scratch.js'

describe('opening a checkout', () => {
  let scratch: Scratch
  beforeEach(() => {
    scratch = createScratch()
  })
  afterEach(() => scratch.remove())

  it('W11: inside the chosen checkout children inherit the launch cwd, and configuration begins there', async () => {
    const root = scratch.checkout('app', 'a1b2c')
    const cwd = scratch.folder('app/src/deep')
    assert.deepEqual(await openCheckout('load', createLaunch(scratch, {cwd})), {
      checkout: {id: 'a1b2c', root},
      silo: join(scratch.data, 'workspace', 'app-a1b2c'),
      source: 'cwd',
      launchCwd: cwd,
      cwdRoot: root,
      childCwd: undefined,
      configCwd: cwd,
    })
  })

  it('W11: a checkout that is not the cwd’s own is where children run; what is typed still means the launch cwd', async () => {
    const here = scratch.checkout('here', 'h3r3a')
    const root = scratch.checkout('app', 'a1b2c')
    scratch.folder('app/src')
    const context = await openCheckout('load', createLaunch(scratch, {cwd: here, workspace: '../app/src'}))
    assert.deepEqual(
      [context.checkout.root, context.source, context.launchCwd, context.cwdRoot, context.childCwd, context.configCwd],
      [root, 'path', here, here, root, root],
    )
  })

  it('W10: resolve registers nothing and makes no store; load does both, once', async () => {
    const root = scratch.checkout('app', 'a1b2c')
    const before = listing(scratch.path)
    assert.equal((await openCheckout('resolve', createLaunch(scratch, {cwd: root}))).silo, undefined)
    assert.deepEqual(listing(scratch.path), before)
    const {silo} = await openCheckout('load', createLaunch(scratch, {cwd: root}))
    assert.ok(silo !== undefined && existsSync(join(silo, 'roots')))
    const after = listing(scratch.path)
    await openCheckout('load', createLaunch(scratch, {cwd: root}))
    assert.deepEqual(listing(scratch.path), after)
    assert.equal((await openCheckout('resolve', createLaunch(scratch, {cwd: root}))).silo, silo)
  })
})
