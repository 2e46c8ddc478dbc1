import { expect, it } from 'vitest'
import { pascalCase } from '../src/casing'

it('pascalCase', () => {
  expect(pascalCase('foo_bar-baz')).toBe('FooBarBaz')
  expect(pascalCase('HTTPServer')).toBe('HttpServer')
  expect(pascalCase('')).toBe('')
})
