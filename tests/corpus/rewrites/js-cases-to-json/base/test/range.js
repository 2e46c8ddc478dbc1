'use strict'

const assert = require('assert')
const parse = require('..')

describe('parse(size, header)', function () {
  it('should return -2 if malformed', function () {
    assert.strictEqual(parse(200, 'malformed'), -2)
    assert.strictEqual(parse(200, 'bytes=-'), -2)
    assert.strictEqual(parse(200, 'items=0-4'), -2)
  })

  it('should return -1 if nothing is in the file', function () {
    assert.strictEqual(parse(200, 'bytes=500-600'), -1)
    assert.strictEqual(parse(200, 'bytes=20-10'), -1)
  })

  it('should cap the end', function () {
    assert.deepStrictEqual(parse(200, 'bytes=100-999'), [{ start: 100, end: 199 }])
  })

  it('should parse open ranges', function () {
    assert.deepStrictEqual(parse(1000, 'bytes=400-'), [{ start: 400, end: 999 }])
    assert.deepStrictEqual(parse(1000, 'bytes=-400'), [{ start: 600, end: 999 }])
  })

  it('should parse several', function () {
    assert.deepStrictEqual(parse(1000, 'bytes=40-80,-1'), [{ start: 40, end: 80 }, { start: 999, end: 999 }])
  })
})
