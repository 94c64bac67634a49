import assert from 'node:assert/strict'
import {createAdmission, totalCap} from '../../../src/daemon/admission.js'
import {hasCode, type JpError} from '../../../src/errors/jp-error.js'

const refusal = (work: () => unknown): JpError => {
  try {
    work()
  } catch (error) {
    if (hasCode(error, 'session_limit_exceeded')) return error
    throw error
  }
  throw new assert.AssertionError({message: 'it was admitted'})
}

describe('admission', () => {
  it('D15: derives the total from the workspaces when there are several and the cap is finite', () => {
    assert.equal(totalCap(undefined, 32, 1), undefined)
    assert.equal(totalCap(undefined, 32, 3), 96)
    assert.equal(totalCap(undefined, undefined, 3), undefined)
    assert.equal(totalCap(7, 32, 3), 7)
    assert.equal(totalCap(7, 32, 1), 7)
  })

  it('D15: counts what is reserved, per workspace and in total, and says which cap was hit', () => {
    const admission = createAdmission({perWorkspace: 2, total: 3})
    const first = admission.reserve('a')
    admission.reserve('a')
    assert.deepEqual(refusal(() => admission.reserve('a')).details, {limit: 2, scope: 'workspace'})
    admission.reserve('b')
    assert.deepEqual(refusal(() => admission.reserve('b')).details, {limit: 3, scope: 'total'})
    first.release()
    assert.equal(admission.taken(), 2)
    admission.reserve('b')
    assert.equal(admission.taken(), 3)
  })

  it('D15: a place is given back once, however often it is released', () => {
    const admission = createAdmission({perWorkspace: 1, total: undefined})
    const slot = admission.reserve('a')
    slot.release()
    slot.release()
    admission.reserve('a')
    slot.release()
    refusal(() => admission.reserve('a'))
  })
})
