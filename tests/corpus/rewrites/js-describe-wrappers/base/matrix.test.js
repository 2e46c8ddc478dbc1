import assert from 'node:assert/strict'
import test from 'node:test'
import { identity, multiply, transpose } from './matrix.js'

const A = [
  [1, 2, 3],
  [4, 5, 6],
]

test('transpose swaps rows and columns', () => {
  assert.deepEqual(transpose(A), [
    [1, 4],
    [2, 5],
    [3, 6],
  ])
})

test('transpose of nothing', () => {
  assert.deepEqual(transpose([]), [])
})

test('transpose twice changes nothing', () => {
  assert.deepEqual(transpose(transpose(A)), A)
})

test('multiply', () => {
  assert.deepEqual(multiply(A, transpose(A)), [
    [14, 32],
    [32, 77],
  ])
})

test('multiply by identity', () => {
  assert.deepEqual(multiply(A, identity(3)), A)
})

test('multiply refuses what does not fit', () => {
  assert.throws(() => multiply(A, A), { name: 'RangeError', message: '3 columns, 2 rows' })
})
