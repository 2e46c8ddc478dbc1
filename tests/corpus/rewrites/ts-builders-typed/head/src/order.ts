export interface Line {
  readonly sku: string
  readonly count: number
  readonly cents: number
}

export type Status = { kind: 'open' } | { kind: 'paid'; at: Date } | { kind: 'shipped' }

export interface Order {
  readonly id: string
  readonly lines: readonly Line[]
  readonly status: Status
}

const HOUR_MS = 3_600_000

export function total(order: Order): number {
  return order.lines.reduce((sum, line) => sum + line.count * line.cents, 0)
}

export function canCancel(order: Order, now: Date): boolean {
  switch (order.status.kind) {
    case 'open':
      return true
    case 'paid':
      return now.getTime() - order.status.at.getTime() < HOUR_MS
    case 'shipped':
      return false
  }
}
