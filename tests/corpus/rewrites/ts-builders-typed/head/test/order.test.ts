import { describe, expect, it } from 'vitest'
import { canCancel, total } from '../src/order'
import { buildLine, buildOrder, paid } from './build'

const now = new Date('2024-06-01T12:00:00Z')

describe('total', () => {
  it('adds up lines', () => {
    const lines = [buildLine({ count: 2, cents: 150 }), buildLine({ sku: 'b', cents: 999 })]
    expect(total(buildOrder({ lines }))).toBe(1299)
  })

  it('is zero without lines', () => {
    expect(total(buildOrder())).toBe(0)
  })
})

describe('canCancel', () => {
  it('allows it for open orders', () => {
    expect(canCancel(buildOrder(), now)).toBe(true)
  })

  it('allows it within an hour of payment', () => {
    expect(canCancel(buildOrder({ status: paid('2024-06-01T11:00:01Z') }), now)).toBe(true)
  })

  it('refuses it an hour after payment', () => {
    expect(canCancel(buildOrder({ status: paid('2024-06-01T11:00:00Z') }), now)).toBe(false)
  })

  it('refuses it for what is shipped', () => {
    expect(canCancel(buildOrder({ status: { kind: 'shipped' } }), now)).toBe(false)
  })
})
