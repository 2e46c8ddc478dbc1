import { expect, test } from 'vitest'
import { render } from '../src/render.js'

test('link', () => {
  expect(render(['a', { href: '/x?a=1&b=2', class: 'more' }, 'more <x>'])).toMatchSnapshot()
})

test('form', () => {
  expect(
    render(['form', { method: 'post', action: '/' }, ['input', { name: 'q', disabled: true, value: null }], ['br']]),
  ).toMatchSnapshot()
})

test('text', () => {
  expect(render('a "b"')).toBe('a &#34;b&#34;')
})
