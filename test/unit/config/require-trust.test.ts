import assert from 'node:assert/strict'
import {offerTrust, requireTrusted, type TrustDeps} from '../../../src/config/require-trust.js'
import {JpError} from '../../../src/errors/jp-error.js'
import type {ConfirmQuestion, Prompter} from '../../../src/platform/prompter.js'
import {type ConfigScratch, createConfigScratch} from '../../support/config.js'

const unused = (): never => {
  throw new JpError('internal', 'Only a yes or no is asked here.')
}

/** A person who says the same to every question, and the questions. */
const person = (answer: boolean): Prompter & {readonly asked: ConfirmQuestion[]} => {
  const asked: ConfirmQuestion[] = []
  return {
    asked,
    choose: unused,
    search: unused,
    selectMany: unused,
    input: unused,
    secret: unused,
    confirm: (question) => {
      asked.push(question)
      return Promise.resolve(answer)
    },
  }
}

describe('config/require-trust', () => {
  let at: ConfigScratch
  beforeEach(() => {
    at = createConfigScratch()
    at.write(
      'app/.jp/config.toml',
      'editor.cmd = "vim"\n[conversation.tools.deploy]\nsource = "local"\ncommand = "deploy"\n',
    )
  })
  afterEach(() => at.remove())

  const deps = (prompter: Prompter | undefined): TrustDeps => ({
    place: {...at.place(), checkoutRoot: at.root},
    prompter,
    nowMs: 0,
  })
  const usesTool = (path: readonly string[]): boolean => path[1] === 'tools' && path[2] === 'deploy'

  it('W30: a command that uses nothing guarded is not asked', async () => {
    const nobody = person(false)
    const resolution = await at.resolve()
    assert.equal(await requireTrusted(resolution, (path) => path[0] === 'web', deps(nobody)), 'unaffected')
    assert.equal(await offerTrust(resolution, (path) => path[0] === 'web', deps(nobody)), false)
    assert.deepEqual(nobody.asked, [])
  })

  it('W30: one that does fails without a terminal, with exit 5 and the command that allows it', async () => {
    await assert.rejects(requireTrusted(await at.resolve(), usesTool, deps(undefined)), (error: JpError) => {
      assert.equal(error.code, 'untrusted_workspace')
      assert.equal(
        error.message,
        `conversation.tools.deploy.source of ${at.root}/.jp/config.toml is needed, and ${at.root} is not trusted with it.`,
      )
      assert.equal(error.hint, `See what it asks for, and allow it:\njp w trust ${at.root}`)
      assert.deepEqual(error.details['settings'], [
        'conversation.tools.deploy.source',
        'conversation.tools.deploy.command',
      ])
      return true
    })
    await assert.rejects(requireTrusted(await at.resolve(), usesTool, deps(person(false))), {
      code: 'untrusted_workspace',
    })
    assert.equal(await offerTrust(await at.resolve(), usesTool, deps(person(false))), false)
  })

  it('W30: a yes is recorded and asked once; a change asks again and shows the difference alone', async () => {
    const first = person(true)
    assert.equal(await requireTrusted(await at.resolve(), usesTool, deps(first)), 'trusted')
    assert.equal(first.asked.length, 1)
    assert.equal(first.asked[0]?.message, `Trust ${at.root} with this?`)
    assert.match(first.asked[0]?.detail ?? '', /editor\.cmd/)
    const resolved = await at.resolve()
    assert.equal(resolved.config.conversation.tools['deploy']?.command, 'deploy')
    assert.equal(await requireTrusted(resolved, usesTool, deps(first)), 'unaffected')
    at.write(
      'app/.jp/config.toml',
      'editor.cmd = "vim"\n[conversation.tools.deploy]\nsource = "local"\ncommand = "deploy --all"\n',
    )
    const second = person(true)
    assert.equal(await offerTrust(await at.resolve(), usesTool, deps(second)), true)
    assert.equal(
      second.asked[0]?.detail,
      [
        `${at.root} asks for more than you trusted:`,
        '.jp/config.toml:',
        '  conversation.tools.deploy.command (runs a command as a tool)',
        '    - "deploy"',
        '    + "deploy --all"',
      ].join('\n'),
    )
    assert.equal((await at.resolve()).config.conversation.tools['deploy']?.command, 'deploy --all')
  })

  it('W30: a no is remembered for exactly these settings, and for what can be done without alone', async () => {
    const refusing = person(false)
    assert.equal(await offerTrust(await at.resolve(), usesTool, deps(refusing)), false)
    assert.equal(await offerTrust(await at.resolve(), usesTool, deps(refusing)), false)
    assert.equal(refusing.asked.length, 1)
    await assert.rejects(requireTrusted(await at.resolve(), usesTool, deps(refusing)), {code: 'untrusted_workspace'})
    assert.equal(refusing.asked.length, 2)
    at.write('app/.jp/config.toml', '[conversation.tools.deploy]\nsource = "local"\ncommand = "other"\n')
    assert.equal(await offerTrust(await at.resolve(), usesTool, deps(refusing)), false)
    assert.equal(refusing.asked.length, 3)
  })

  it('W30: what is trusted is what was shown, also when the file changes under the question', async () => {
    const swapping = {
      ...person(true),
      confirm: () => {
        at.write('app/.jp/config.toml', '[conversation.tools.deploy]\nsource = "local"\ncommand = "evil"\n')
        return Promise.resolve(true)
      },
    }
    assert.equal(await offerTrust(await at.resolve(), usesTool, deps(swapping)), true)
    const {config} = await at.resolve()
    assert.equal(config.conversation.tools['deploy']?.command, undefined)
  })

  it('W30: what is shown is whole and as it stands: nothing of a command hides behind its length or a password', async () => {
    const command = `sh -c "${'true;'.repeat(100)} curl ftp://a:$(touch\${IFS}mark)@b"`
    at.write('app/.jp/config.toml', `conversation.tools.deploy.command = '''${command}'''\n`)
    const asked = person(false)
    await offerTrust(await at.resolve(), usesTool, deps(asked))
    assert.ok(asked.asked[0]?.detail?.includes(JSON.stringify(command)), asked.asked[0]?.detail)
  })

  it('W30: what a folder’s own file asks for stays trusted when another folder is trusted later', async () => {
    at.write('app/a/.jp.toml', 'editor.cmd = "a"\n')
    at.write('app/b/.jp.toml', 'editor.cmd = "b"\n')
    const inFolder = (name: string): TrustDeps => {
      const place = {...at.place({configCwd: `${at.root}/${name}`}), checkoutRoot: at.root}
      return {place, prompter: person(true), nowMs: 0}
    }
    const command = async (name: string): Promise<unknown> =>
      (await at.resolve({}, {configCwd: `${at.root}/${name}`})).config.editor.cmd
    for (const name of ['a', 'b']) {
      const resolution = await at.resolve({}, {configCwd: `${at.root}/${name}`})
      assert.equal(await offerTrust(resolution, () => true, inFolder(name)), true)
    }
    assert.deepEqual([await command('a'), await command('b')], ['a', 'b'])
  })
})
