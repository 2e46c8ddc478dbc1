import { expect, it } from 'vitest'
import { camelCase } from '../src/casing'

it('camelCase', () => {
  expect(camelCase('foo_bar-baz')).toBe('fooBarBaz')
  expect(camelCase('HTTPServer')).toBe('httpServer')
  expect(camelCase('')).toBe('')
})
