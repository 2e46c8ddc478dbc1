import { expect, test } from 'vitest';
import { euros, includedTax } from '../src/money';
import { receipt, type Line } from '../src/receipt';

const tea: Line = { name: 'tea', cents: 799, quantity: 2, tax: 7 };
const pot: Line = { name: 'pot with a very long and poetic name', cents: 123450 };

test('amounts', () => {
  expect([0, 5, 799, 123450, 123456789, -250].map(euros)).toEqual([
    '0,00', '0,05', '7,99', '1.234,50', '1.234.567,89', '-2,50',
  ]);
});

test('tax is part of a price', () => {
  expect(includedTax(11900, 19)).toBe(1900);
  expect(includedTax(1598, 7)).toBe(105);
});

test('lines of a receipt', () => {
  const lines = receipt([tea, pot], 130000).split('\n');
  expect(lines.slice(3)).toEqual([
    '2 x tea                15,98',
    'pot with a very lon 1.234,50',
    '----------------------------',
    'sum                 1.250,48',
    'paid                1.300,00',
    'back                   49,52',
    '19 % tax              197,11',
    '7 % tax                 1,05',
  ]);
});

test('nothing is given back', () => {
  expect(receipt([tea], 1598)).not.toContain('back');
});

test('head of a receipt', () => {
  const [id, day] = receipt([tea], 1598, new Date('2024-05-01T10:00:00Z')).split('\n');
  expect(id).toMatch(/^receipt [0-9a-f]{8}$/);
  expect(day).toBe('2024-05-01');
});
