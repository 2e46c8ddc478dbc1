'use strict'

const assert = require('assert')
const Pool = require('../pool')

describe('Pool', function () {
  let made

  beforeEach(function () {
    made = 0
  })

  it('should make what is missing', function (done) {
    const pool = new Pool(() => ++made, 2)
    pool.acquire(function (error, first) {
      if (error) return done(error)
      pool.acquire(function (error, second) {
        if (error) return done(error)
        assert.deepStrictEqual([first, second], [1, 2])
        done()
      })
    })
  })

  it('should reuse what was released', function (done) {
    const pool = new Pool(() => ++made, 2)
    pool.acquire(function (error, first) {
      if (error) return done(error)
      pool.release(first)
      pool.acquire(function (error, again) {
        if (error) return done(error)
        assert.strictEqual(again, first)
        assert.strictEqual(made, 1)
        done()
      })
    })
  })

  it('should wait when all are taken', function (done) {
    const pool = new Pool(() => ++made, 1)
    pool.acquire(function (error, first) {
      if (error) return done(error)
      pool.acquire(function (error, second) {
        if (error) return done(error)
        assert.strictEqual(second, first)
        done()
      })
      assert.strictEqual(pool.waiting.length, 1)
      pool.release(first)
    })
  })

  it('should report errors', function (done) {
    const pool = new Pool(() => { throw new Error('no more') }, 1)
    pool.acquire(function (error, item) {
      assert.strictEqual(error.message, 'no more')
      assert.strictEqual(item, undefined)
      assert.strictEqual(pool.count, 0)
      done()
    })
  })
})
