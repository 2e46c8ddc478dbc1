import { expect, test } from 'vitest';
import { euros, includedTax } from '../src/money';
import { receipt, type Line } from '../src/receipt';
import { scrub } from './scrub';

const tea: Line = { name: 'tea', cents: 799, quantity: 2, tax: 7 };
const pot: Line = { name: 'pot with a very long and poetic name', cents: 123450 };
const refund: Line = { name: 'deposit', cents: -250 };

test('amounts', () => {
  expect([0, 5, 799, 123450, 123456789, -250].map(euros)).toEqual([
    '0,00', '0,05', '7,99', '1.234,50', '1.234.567,89', '-2,50',
  ]);
});

test('tax is part of a price', () => {
  expect(includedTax(11900, 19)).toBe(1900);
  expect(includedTax(1598, 7)).toBe(105);
});

test('receipt', () => {
  expect(scrub(receipt([tea, refund, pot], 130000))).toBe(scrub(`receipt 1c9d04ab
2024-05-01

2 x tea                15,98
deposit                -2,50
pot with a very lon 1.234,50
----------------------------
sum                 1.247,98
paid                1.300,00
back                   52,02
19 % tax              196,71
7 % tax                 1,05`));
});

test('receipt of somebody who pays exactly', () => {
  expect(scrub(receipt([tea], 1598))).toBe(scrub(`receipt 1c9d04ab
2024-05-01

2 x tea                15,98
----------------------------
sum                    15,98
paid                   15,98
7 % tax                 1,05`));
});

test('receipt of a million', () => {
  expect(scrub(receipt([{ name: 'house', cents: 123456789, tax: 0 }], 123456789))).toBe(scrub(`receipt 1c9d04ab
2024-05-01

house           1.234.567,89
----------------------------
sum             1.234.567,89
paid            1.234.567,89
0 % tax                 0,00`));
});

test('day of a receipt', () => {
  expect(receipt([tea], 1598, new Date('2024-05-01T10:00:00Z'))).toMatch(/^receipt [0-9a-f]{8}\n2024-05-01\n/);
});
