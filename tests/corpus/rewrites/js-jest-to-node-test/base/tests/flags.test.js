const { parse, UnknownFlag } = require('../lib/flags.js')

const known = { verbose: 'boolean', out: 'value' }

test('when boolean flag then true', () => {
  const { flags } = parse(['--verbose'], known)
  expect(flags.verbose).toBe(true)
})

test('when value after space then value', () => {
  expect(parse(['--out', 'a.txt'], known).flags).toEqual({ out: 'a.txt' })
})

test('when value after equals sign then value', () => {
  expect(parse(['--out=a.txt'], known).flags).toEqual({ out: 'a.txt' })
})

test('when flag missing then undefined', () => {
  expect(parse([], known).flags.out).toBeUndefined()
})

test('when double dash then rest is left', () => {
  const { flags, rest } = parse(['a', '--', '--verbose', 'b'], known)
  expect(rest).toEqual(['a', '--verbose', 'b'])
  expect(flags).toEqual({})
})

test('when unknown flag then throws with code', () => {
  expect.assertions(2)
  try {
    parse(['--nope'], known)
  } catch (error) {
    expect(error).toBeInstanceOf(UnknownFlag)
    expect(error.code).toBe('flags.unknown')
  }
})

test('when inherited name then throws', () => {
  expect(() => parse(['--toString'], known)).toThrow('unknown flag: toString')
})
