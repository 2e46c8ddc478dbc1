import type { Cart, Item } from '../src/cart';
import type { Customer } from '../src/customer';

export const customer = (name: string): Customer => ({ name, since: 2024, spent: 0 });

export function item(sku: string, cents: number, quantity = 1): Item {
  return { sku, cents, quantity };
}

/** A cart of somebody with items, and with a voucher if there is one. */
export function cart(name: string, items: Item[], voucher?: string): Cart {
  return { customer: customer(name), items, voucher };
}
