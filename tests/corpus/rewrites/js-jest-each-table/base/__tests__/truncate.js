const truncate = require('..')

const date = new Date('2024-05-17T13:45:10.123Z')

it('truncates to the year', () => {
  expect(truncate(date, 'year').toISOString()).toBe('2024-01-01T00:00:00.000Z')
})

it('truncates to the month', () => {
  expect(truncate(date, 'month').toISOString()).toBe('2024-05-01T00:00:00.000Z')
})

it('truncates to the day', () => {
  expect(truncate(date, 'day').toISOString()).toBe('2024-05-17T00:00:00.000Z')
})

it('truncates to the hour', () => {
  expect(truncate(date, 'hour').toISOString()).toBe('2024-05-17T13:00:00.000Z')
})

it('leaves the argument as it is', () => {
  truncate(date, 'year')
  expect(date.toISOString()).toBe('2024-05-17T13:45:10.123Z')
})

it('refuses unknown units', () => {
  expect(() => truncate(date, 'week')).toThrow(RangeError)
})
