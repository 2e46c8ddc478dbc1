import type { Line, Order, Status } from '../src/order'

/** An open order without lines, but for what a test says. */
export function buildOrder(given: Partial<Order> = {}): Order {
  return { id: '1', lines: [], status: { kind: 'open' }, ...given }
}

export function buildLine(given: Partial<Line> = {}): Line {
  return { sku: 'a', count: 1, cents: 100, ...given }
}

export function paid(at: string): Status {
  return { kind: 'paid', at: new Date(at) }
}
