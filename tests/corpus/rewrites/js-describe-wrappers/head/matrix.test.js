import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { identity, multiply, transpose } from './matrix.js'

const A = [
  [1, 2, 3],
  [4, 5, 6],
]

describe('transpose', () => {
  it('swaps rows and columns', () => {
    assert.deepEqual(transpose(A), [
      [1, 4],
      [2, 5],
      [3, 6],
    ])
  })

  it('takes nothing', () => {
    assert.deepEqual(transpose([]), [])
  })

  it('twice changes nothing', () => {
    assert.deepEqual(transpose(transpose(A)), A)
  })
})

describe('multiply', () => {
  it('multiplies', () => {
    assert.deepEqual(multiply(A, transpose(A)), [
      [14, 32],
      [32, 77],
    ])
  })

  it('by identity changes nothing', () => {
    assert.deepEqual(multiply(A, identity(3)), A)
  })

  it('refuses what does not fit', () => {
    assert.throws(() => multiply(A, A), { name: 'RangeError', message: '3 columns, 2 rows' })
  })
})
