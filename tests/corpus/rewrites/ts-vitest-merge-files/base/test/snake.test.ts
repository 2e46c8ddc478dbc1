import { expect, it } from 'vitest'
import { snakeCase } from '../src/casing'

it('snakeCase', () => {
  expect(snakeCase('foo_bar-baz')).toBe('foo_bar_baz')
  expect(snakeCase('HTTPServer')).toBe('http_server')
  expect(snakeCase('')).toBe('')
})
