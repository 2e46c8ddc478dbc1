import type { Cart, Item } from '../src/cart';

export const ada = { name: 'Ada', since: 2010, spent: 0 };
export const bob = { name: 'Bob', since: 2023, spent: 20_000 };
export const eve = { name: 'Eve', since: 2024, spent: 0 };

export function item(sku: string, cents: number, more: Partial<Item> = {}): Item {
  return { sku, cents, quantity: 1, ...more };
}

/** A cart of somebody with nothing in it, but for what is given. */
export function cart(customer: Cart['customer'], more: Partial<Cart>): Cart {
  return { customer, items: [], ...more };
}
