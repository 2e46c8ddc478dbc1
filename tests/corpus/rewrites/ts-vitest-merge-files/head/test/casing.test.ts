import { describe, expect, it } from 'vitest'
import { camelCase, kebabCase, pascalCase, snakeCase } from '../src/casing'

const table = [
  { from: 'foo_bar-baz', camel: 'fooBarBaz', pascal: 'FooBarBaz', snake: 'foo_bar_baz', kebab: 'foo-bar-baz' },
  { from: 'HTTPServer', camel: 'httpServer', pascal: 'HttpServer', snake: 'http_server', kebab: 'http-server' },
  { from: '', camel: '', pascal: '', snake: '', kebab: '' },
]

describe.each(table)('from "$from"', ({ from, camel, pascal, snake, kebab }) => {
  it('camelCase', () => {
    expect(camelCase(from)).toBe(camel)
  })

  it('pascalCase', () => {
    expect(pascalCase(from)).toBe(pascal)
  })

  it('snakeCase', () => {
    expect(snakeCase(from)).toBe(snake)
  })

  it('kebabCase', () => {
    expect(kebabCase(from)).toBe(kebab)
  })
})
