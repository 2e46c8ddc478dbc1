import { describe, expect, it } from 'vitest'
import { defaults } from '../src/defaults'

describe('defaults', () => {
  it('fills in what is missing', () => {
    expect(defaults({ a: 'c' }, { a: 'b', d: 'e' })).toEqual({ a: 'c', d: 'e' })
  })

  it('goes into objects', () => {
    expect(defaults({ a: { b: 1 } }, { a: { b: 2, c: 3 } })).toEqual({ a: { b: 1, c: 3 } })
  })

  it('joins arrays', () => {
    expect(defaults({ list: ['a'] }, { list: ['b', 'c'] })).toEqual({ list: ['a', 'b', 'c'] })
  })

  it('takes null for missing', () => {
    expect(defaults({ a: null, b: undefined }, { a: 1, b: 2 })).toEqual({ a: 1, b: 2 })
  })

  it('changes no argument', () => {
    const base = { a: { b: 1 } }
    defaults({ a: { b: 2 } }, base)
    expect(base).toEqual({ a: { b: 1 } })
  })

  it('sets no prototype', () => {
    defaults(JSON.parse('{"__proto__": {"evil": true}}'), {})
    expect(({} as { evil?: boolean }).evil).toBeUndefined()
  })

  it('refuses what is no object', () => {
    // @ts-expect-error: for callers without types
    expect(() => defaults(undefined, {})).toThrow('no object')
  })
})
