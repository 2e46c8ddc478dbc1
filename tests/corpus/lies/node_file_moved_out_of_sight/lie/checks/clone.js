import assert from 'node:assert';
import { test } from 'node:test';
import { clone } from '../src/deep.js';

test('a clone shares nothing', () => {
  const value = { list: [1] };
  clone(value).list.push(2);
  assert.deepEqual(value, { list: [1] });
});
