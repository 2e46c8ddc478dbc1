import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Router } from '../src/router.js'

const handler = () => 'x'

describe('add', () => {
  it('can be chained', () => {
    const router = new Router()
    assert.equal(router.add('GET', '/a', handler), router)
  })

  it('refuses relative paths', () => {
    assert.throws(() => new Router().add('GET', 'a', handler), /must start with a slash: a/)
  })
})

describe('find', () => {
  it('finds fixed paths', () => {
    const router = new Router().add('GET', '/a/b', handler)
    assert.deepEqual(router.find('GET', '/a/b'), { handler, params: {} })
  })

  it('finds parameters and decodes them', () => {
    const router = new Router().add('GET', '/users/:name/posts/:id', handler)
    assert.deepEqual(router.find('GET', '/users/a%20b/posts/7').params, { name: 'a b', id: '7' })
  })

  it('takes the first route that fits', () => {
    const other = () => 'y'
    const router = new Router().add('GET', '/:any', handler).add('GET', '/a', other)
    assert.equal(router.find('GET', '/a').handler, handler)
  })

  it('heeds the method', () => {
    assert.equal(new Router().add('GET', '/a', handler).find('POST', '/a'), null)
  })

  it('takes no empty parameters', () => {
    assert.equal(new Router().add('GET', '/users/:name', handler).find('GET', '/users/'), null)
  })
})
