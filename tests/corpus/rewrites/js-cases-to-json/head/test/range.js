'use strict'

const assert = require('assert')
const parse = require('..')
const groups = require('./fixtures/ranges.json')

describe('parse(size, header)', function () {
  it('should have cases', function () {
    assert.strictEqual(Object.keys(groups).length, 5)
  })

  for (const [rule, cases] of Object.entries(groups)) {
    describe(rule, function () {
      for (const { size, header, result } of cases) {
        it(`${header} of ${size}`, function () {
          assert.deepStrictEqual(parse(size, header), result)
        })
      }
    })
  }
})
