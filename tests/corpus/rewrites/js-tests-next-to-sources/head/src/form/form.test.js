const { max, required, validate } = require('..')

const rules = { name: [required, max(5)], note: [max(2)] }

test('valid values have no errors', () => {
  expect(validate({ name: 'Ada', note: '' }, rules)).toEqual({})
})

test('the first complaint counts', () => {
  expect(validate({ name: ' ', note: 'abc' }, rules)).toEqual({ name: 'required', note: 'at most 2 characters' })
})
