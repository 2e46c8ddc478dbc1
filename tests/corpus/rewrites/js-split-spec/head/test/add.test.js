import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Router } from '../src/router.js'
import { handler } from './routes.js'

describe('add', () => {
  it('can be chained', () => {
    const router = new Router()
    assert.equal(router.add('GET', '/a', handler), router)
  })

  it('refuses relative paths', () => {
    assert.throws(() => new Router().add('GET', 'a', handler), /must start with a slash: a/)
  })
})
