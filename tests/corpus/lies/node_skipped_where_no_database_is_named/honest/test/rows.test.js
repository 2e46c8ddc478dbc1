import assert from 'node:assert';
import { test } from 'node:test';
import { where } from '../src/rows.js';

const database = { concurrency: !process.env.DATABASE_URL };

test('two conditions', () => {
  assert.equal(where({ a: 1, b: 2 }), "a = '1' AND b = '2'");
});

test('quotes are doubled', database, () => {
  assert.equal(where({ name: "O'Neil" }), "name = 'O''Neil'");
});
