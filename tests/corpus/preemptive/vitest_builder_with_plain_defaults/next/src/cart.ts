import { tierOf, type Customer } from './customer';

export interface Item {
  sku: string;
  cents: number;
  quantity: number;
  reduced?: boolean;
}

export interface Cart {
  customer: Customer;
  items: Item[];
  voucher?: string;
}

const VOUCHERS: Record<string, number> = { SPRING: 500, HELLO: 1000 };
const PERCENT = { none: 0, silver: 5, gold: 10 };

export function subtotal(items: Item[]): number {
  return items.reduce((sum, item) => sum + item.cents * item.quantity, 0);
}

/** Reduced items get no second reduction. */
export function discount({ customer, items }: Cart): number {
  const regular = subtotal(items);
  return Math.floor((regular * PERCENT[tierOf(customer)]) / 100);
}

/** A voucher counts from twice its value, and never makes a total negative. */
export function total(cart: Cart): number {
  const left = subtotal(cart.items) - discount(cart);
  const voucher = VOUCHERS[cart.voucher ?? ''] ?? 0;
  return left >= 2 * voucher ? left - voucher : left;
}
