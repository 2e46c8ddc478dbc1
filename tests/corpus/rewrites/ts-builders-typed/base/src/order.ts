export interface Order {
  id: string
  lines: { sku: string; count: number; cents: number }[]
  status: string
  paidAt?: Date
}

export function total(order: Order): number {
  return order.lines.reduce((sum, line) => sum + line.count * line.cents, 0)
}

export function canCancel(order: Order, now: Date): boolean {
  if (order.status === 'open') return true
  if (order.status === 'paid' && order.paidAt) return now.getTime() - order.paidAt.getTime() < 3_600_000
  return false
}
