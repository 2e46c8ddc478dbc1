const test = require('node:test')
const assert = require('node:assert/strict')
const { parse, UnknownFlag } = require('../lib/flags.js')

const known = { verbose: 'boolean', out: 'value' }

test('when boolean flag then true', () => {
  const { flags } = parse(['--verbose'], known)
  assert.equal(flags.verbose, true)
})

test('when value after space then value', () => {
  assert.deepEqual(parse(['--out', 'a.txt'], known).flags, { out: 'a.txt' })
})

test('when value after equals sign then value', () => {
  assert.deepEqual(parse(['--out=a.txt'], known).flags, { out: 'a.txt' })
})

test('when flag missing then undefined', () => {
  assert.equal(parse([], known).flags.out, undefined)
})

test('when double dash then rest is left', () => {
  const { flags, rest } = parse(['a', '--', '--verbose', 'b'], known)
  assert.deepEqual(rest, ['a', '--verbose', 'b'])
  assert.deepEqual(flags, {})
})

test('when unknown flag then throws with code', () => {
  assert.throws(
    () => parse(['--nope'], known),
    (error) => {
      assert.ok(error instanceof UnknownFlag)
      assert.equal(error.code, 'flags.unknown')
      return true
    },
  )
})

test('when inherited name then throws', () => {
  assert.throws(() => parse(['--toString'], known), { message: 'unknown flag: toString' })
})
