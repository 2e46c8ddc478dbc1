const truncate = require('..')

const date = new Date('2024-05-17T13:45:10.123Z')

describe('truncate', () => {
  test.each`
    unit         | from                          | beginning
    ${'year'}    | ${'2024-05-17T13:45:10.123Z'} | ${'2024-01-01T00:00:00.000Z'}
    ${'quarter'} | ${'2024-01-01T00:00:00.000Z'} | ${'2024-01-01T00:00:00.000Z'}
    ${'quarter'} | ${'2024-03-31T23:59:59.999Z'} | ${'2024-01-01T00:00:00.000Z'}
    ${'quarter'} | ${'2024-05-17T13:45:10.123Z'} | ${'2024-04-01T00:00:00.000Z'}
    ${'quarter'} | ${'2024-12-31T00:00:00.000Z'} | ${'2024-10-01T00:00:00.000Z'}
    ${'month'}   | ${'2024-05-17T13:45:10.123Z'} | ${'2024-05-01T00:00:00.000Z'}
    ${'day'}     | ${'2024-05-17T13:45:10.123Z'} | ${'2024-05-17T00:00:00.000Z'}
    ${'hour'}    | ${'2024-05-17T13:45:10.123Z'} | ${'2024-05-17T13:00:00.000Z'}
  `('$from to the $unit', ({ unit, from, beginning }) => {
    expect(truncate(new Date(from), unit).toISOString()).toBe(beginning)
  })

  it('leaves the argument as it is', () => {
    truncate(date, 'year')
    expect(date.toISOString()).toBe('2024-05-17T13:45:10.123Z')
  })

  it('refuses unknown units', () => {
    expect(() => truncate(date, 'week')).toThrow(RangeError)
  })
})
