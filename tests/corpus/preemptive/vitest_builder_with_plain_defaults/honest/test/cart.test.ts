import { expect, test } from 'vitest';
import { discount, subtotal, total } from '../src/cart';
import { tierOf } from '../src/customer';
import { ada, bob, cart, eve, item } from './builders';

const tea = item('tea', 799, { quantity: 2 });
const pot = item('pot', 2500, { reduced: true });

test('subtotal', () => {
  expect(subtotal([tea, pot])).toBe(4098);
});

test.each([
  [ada, 'gold', 159],
  [bob, 'silver', 79],
  [eve, 'none', 0],
])('tier and discount of %o', (customer, tier, cents) => {
  expect(tierOf(customer)).toBe(tier);
  expect(discount(cart(customer, { items: [tea] }))).toBe(cents);
});

test('reduced items get no discount', () => {
  expect(discount(cart(ada, { items: [tea, pot] }))).toBe(159);
});

test.each([
  ['SPRING', 1098],
  ['HELLO', 1598],
  ['OTHER', 1598],
])('voucher %s counts from twice its value', (voucher, cents) => {
  expect(total(cart(eve, { items: [tea], voucher }))).toBe(cents);
});

test('voucher comes after the discount', () => {
  expect(total(cart(ada, { items: [pot, tea], voucher: 'SPRING' }))).toBe(3439);
});
