'use strict'

const assert = require('assert')
const parse = require('..')
const groups = require('./fixtures/ranges.json')

describe('parse(size, header)', function () {
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
