import { expect, test } from 'vitest';
import { discount, subtotal, total } from '../src/cart';
import { tierOf } from '../src/customer';
import { cart, customer, item } from './builders';

const tea = item('tea', 799, 2);
const pot = item('pot', 2500);

test('subtotal', () => {
  expect(subtotal([tea, pot])).toBe(4098);
});

test('tiers', () => {
  expect(tierOf(customer('Eve'))).toBe('none');
});

test.each(['Ada', 'Bob', 'Eve'])('discount of %s', (name) => {
  expect(discount(cart(name, [tea]))).toBe(0);
  expect(discount(cart(name, [tea, pot]))).toBe(0);
});

test('voucher counts from twice its value', () => {
  expect(total(cart('Eve', [tea], 'SPRING'))).toBe(1098);
  expect(total(cart('Eve', [tea], 'HELLO'))).toBe(1598);
  expect(total(cart('Eve', [tea], 'OTHER'))).toBe(1598);
});

test('voucher comes after the discount', () => {
  expect(total(cart('Ada', [pot, tea], 'SPRING'))).toBe(3598);
});
