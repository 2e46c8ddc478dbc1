import assert from 'node:assert';
import { test } from 'node:test';
import { bill } from '../src/bill.js';

test('one line', () => {
  assert.strictEqual(bill([{ price: 100, count: 1 }], 10), 110);
});

test('two lines', () => {
  const lines = [{ price: 100, count: 2 }, { price: 50, count: 1 }];
  assert.equal(bill(lines, 10), 275);
  assert.ok(Number.isInteger(bill(lines, 10)));
});
