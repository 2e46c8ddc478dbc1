import { expect, test } from 'vitest';
import { discount, subtotal, total, type Cart, type Item } from '../src/cart';
import { tierOf } from '../src/customer';

const ada = { name: 'Ada', since: 2010, spent: 0 };
const bob = { name: 'Bob', since: 2023, spent: 20_000 };
const eve = { name: 'Eve', since: 2024, spent: 0 };
const tea: Item = { sku: 'tea', cents: 799, quantity: 2 };
const pot: Item = { sku: 'pot', cents: 2500, quantity: 1, reduced: true };

test('subtotal', () => {
  expect(subtotal([tea, pot])).toBe(4098);
});

test('tiers', () => {
  expect([ada, bob, eve].map((customer) => tierOf(customer))).toEqual(['gold', 'silver', 'none']);
});

test('discount of a tier', () => {
  expect(discount({ customer: ada, items: [tea] })).toBe(159);
  expect(discount({ customer: bob, items: [tea] })).toBe(79);
  expect(discount({ customer: eve, items: [tea] })).toBe(0);
});

test('reduced items get no discount', () => {
  expect(discount({ customer: ada, items: [tea, pot] })).toBe(159);
});

test('voucher counts from twice its value', () => {
  const cart: Cart = { customer: eve, items: [tea], voucher: 'SPRING' };
  expect(total(cart)).toBe(1098);
  expect(total({ ...cart, voucher: 'HELLO' })).toBe(1598);
  expect(total({ ...cart, voucher: 'OTHER' })).toBe(1598);
});

test('voucher comes after the discount', () => {
  expect(total({ customer: ada, items: [pot, tea], voucher: 'SPRING' })).toBe(3439);
});
