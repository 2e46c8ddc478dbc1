const { table } = require('../src/table')

test('texts', () => {
  expect(table([{ name: 'ada', role: 'admin' }, { name: 'bob' }])).toMatchSnapshot()
})

test('numbers', () => {
  expect(table([{ item: 'tea', count: 7 }, { item: 'coffee', count: 1000 }])).toMatchSnapshot()
})

test('no rows', () => {
  expect(table([])).toBe('')
})
