import assert from 'node:assert/strict'
import {test} from 'node:test'
import {runAgainst} from './host.ts'

test('tells how many __THINGS__ there are', async () => {
  const answer = {type: '__ANSWER__', data: [{}, {}]}
  const {printed, code} = await runAgainst({command: [process.execPath, 'src/main.ts'], answer: () => answer})
  assert.deepEqual([printed, code], ['__NAME__: 2 __THINGS__\n', 0])
})
