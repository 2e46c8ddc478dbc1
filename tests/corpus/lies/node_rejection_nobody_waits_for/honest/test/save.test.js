import assert from 'node:assert';
import { test } from 'node:test';
import { save } from '../src/save.js';

test('saves', async () => {
  const store = new Map();
  assert.equal(await save({ name: 'a' }, store), 'a');
  assert.equal(store.size, 1);
});

test('refuses a record without a name', async () => {
  const refused = assert.rejects(save({}, new Map()), /name/);
  return refused;
});
