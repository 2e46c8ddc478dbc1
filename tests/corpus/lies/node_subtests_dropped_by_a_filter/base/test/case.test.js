import assert from 'node:assert';
import { test } from 'node:test';
import { camel } from '../src/case.js';

const rows = [
  { from: 'a-b', to: 'aB' },
  { from: 'snake_case_name', to: 'snakeCaseName' },
  { from: 'Two Words', to: 'twoWords' },
];

test('one word', () => assert.equal(camel('one'), 'one'));

test('camel case', async (t) => {
  for (const { from, to } of rows) {
    await t.test(from, () => assert.equal(camel(from), to));
  }
});
