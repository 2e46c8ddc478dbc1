'use strict'

const assert = require('assert')
const { format, parse } = require('..')

describe('parse', function () {
  it('should take numbers as they are', function () {
    assert.strictEqual(parse(12), 12)
    assert.strictEqual(parse(-0.5), -0.5)
  })

  it('should parse units in any case', function () {
    assert.strictEqual(parse('1kb'), 1024)
    assert.strictEqual(parse('1.5 MB'), 1572864)
    assert.strictEqual(parse('2 Tb'), 2 * Math.pow(1024, 4))
  })

  it('should return null for anything else', function () {
    for (const value of [undefined, null, true, {}, NaN, 'foobar', '1xb']) {
      assert.strictEqual(parse(value), null)
    }
  })
})

describe('format', function () {
  it('should choose the largest unit', function () {
    assert.strictEqual(format(1000), '1000B')
    assert.strictEqual(format(1024), '1KB')
    assert.strictEqual(format(1572864), '1.5MB')
  })

  it('should put a separator before the unit', function () {
    assert.strictEqual(format(1024, { separator: ' ' }), '1 KB')
  })

  it('should return null for what is no number', function () {
    assert.strictEqual(format('1'), null)
    assert.strictEqual(format(Infinity), null)
  })
})
