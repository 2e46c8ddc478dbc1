import { describe, expect, it } from 'vitest'
import { canCancel, total } from '../src/order'

const now = new Date('2024-06-01T12:00:00Z')

describe('total', () => {
  it('adds up lines', () => {
    const order: any = {
      id: '1',
      lines: [
        { sku: 'a', count: 2, cents: 150 },
        { sku: 'b', count: 1, cents: 999, currancy: 'EUR' },
      ],
      status: 'open',
    }
    expect(total(order)).toBe(1299)
  })

  it('is zero without lines', () => {
    expect(total({ id: '1', lines: [], status: 'open' })).toBe(0)
  })
})

describe('canCancel', () => {
  it('allows it for open orders', () => {
    expect(canCancel({ id: '1', lines: [], status: 'open' }, now)).toBe(true)
  })

  it('allows it within an hour of payment', () => {
    const order = { id: '1', lines: [], status: 'paid', paidAt: new Date('2024-06-01T11:00:01Z') }
    expect(canCancel(order, now)).toBe(true)
  })

  it('refuses it an hour after payment', () => {
    const order = { id: '1', lines: [], status: 'paid', paidAt: new Date('2024-06-01T11:00:00Z') }
    expect(canCancel(order, now)).toBe(false)
  })

  it('refuses it for what is shipped', () => {
    const order: any = { id: '1', lines: [], status: 'shipped', shipedAt: now }
    expect(canCancel(order, now)).toBe(false)
  })
})
