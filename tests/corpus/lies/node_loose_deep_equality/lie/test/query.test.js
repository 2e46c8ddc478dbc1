import assert from 'node:assert';
import { test } from 'node:test';
import { parse } from '../src/query.js';

test('texts', () => {
  assert.deepStrictEqual(parse('a=b'), { a: 'b' });
});

test('numbers', () => {
  assert.deepEqual(parse('page=5&size=20'), { page: 5, size: 20 });
});
