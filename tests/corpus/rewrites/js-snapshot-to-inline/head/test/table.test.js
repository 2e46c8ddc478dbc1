const { table } = require('../src/table')

test('texts', () => {
  expect(table([{ name: 'ada', role: 'admin' }, { name: 'bob' }])).toMatchInlineSnapshot(`
"| name | role  |
| ---- | ----- |
| ada  | admin |
| bob  |       |"
`)
})

test('numbers', () => {
  expect(table([{ item: 'tea', count: 7 }, { item: 'coffee', count: 1000 }])).toMatchInlineSnapshot(`
"| item   | count |
| ------ | ----: |
| tea    |     7 |
| coffee |  1000 |"
`)
})

test('no rows', () => {
  expect(table([])).toBe('')
})
