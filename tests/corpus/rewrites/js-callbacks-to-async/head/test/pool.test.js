'use strict'

const assert = require('assert')
const Pool = require('../pool')

describe('Pool', function () {
  let made

  beforeEach(function () {
    made = 0
  })

  it('should make what is missing', async function () {
    const pool = new Pool(() => ++made, 2)
    assert.deepStrictEqual([await pool.acquire(), await pool.acquire()], [1, 2])
  })

  it('should reuse what was released', async function () {
    const pool = new Pool(() => ++made, 2)
    const first = await pool.acquire()
    pool.release(first)
    assert.strictEqual(await pool.acquire(), first)
    assert.strictEqual(made, 1)
  })

  it('should wait when all are taken', async function () {
    const pool = new Pool(() => ++made, 1)
    const first = await pool.acquire()
    const second = pool.acquire()
    assert.strictEqual(pool.waiting.length, 1)
    pool.release(first)
    assert.strictEqual(await second, first)
  })

  it('should report errors', async function () {
    const pool = new Pool(() => { throw new Error('no more') }, 1)
    await assert.rejects(pool.acquire(), { message: 'no more' })
    assert.strictEqual(pool.count, 0)
  })

  describe('with a callback', function () {
    it('should pass the item', function (done) {
      const pool = new Pool(() => ++made, 1)
      pool.acquire(function (error, item) {
        assert.strictEqual(error, null)
        assert.strictEqual(item, 1)
        done()
      })
    })

    it('should pass the error', function (done) {
      const pool = new Pool(() => { throw new Error('no more') }, 1)
      pool.acquire(function (error, item) {
        assert.strictEqual(error.message, 'no more')
        assert.strictEqual(item, undefined)
        done()
      })
    })
  })
})
