import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { handler, routes } from './routes.js'

describe('find', () => {
  it('finds fixed paths', () => {
    assert.deepEqual(routes('/a/b').find('GET', '/a/b'), { handler, params: {} })
  })

  it('finds parameters and decodes them', () => {
    const router = routes('/users/:name/posts/:id')
    assert.deepEqual(router.find('GET', '/users/a%20b/posts/7').params, { name: 'a b', id: '7' })
  })

  it('takes the first route that fits', () => {
    const other = () => 'y'
    const router = routes('/:any').add('GET', '/a', other)
    assert.equal(router.find('GET', '/a').handler, handler)
  })

  it('heeds the method', () => {
    assert.equal(routes('/a').find('POST', '/a'), null)
  })

  it('takes no empty parameters', () => {
    assert.equal(routes('/users/:name').find('GET', '/users/'), null)
  })
})
