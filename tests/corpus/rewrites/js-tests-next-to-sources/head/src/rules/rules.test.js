const { required, max, matches } = require('./rules')

test.each([['a', null], ['0', null], [0, null], ['', 'required'], ['  ', 'required'], [undefined, 'required']])(
  'required of %p is %p',
  (value, complaint) => {
    expect(required(value)).toBe(complaint)
  },
)

test('max counts characters', () => {
  expect(max(3)('abc')).toBeNull()
  expect(max(3)('abcd')).toBe('at most 3 characters')
})

test('matches', () => {
  expect(matches(/^\d+$/)('12')).toBeNull()
  expect(matches(/^\d+$/)('1x')).toBe('wrong format')
})
