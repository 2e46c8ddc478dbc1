import assert from 'node:assert';
import { after, test } from 'node:test';
import { page } from '../src/page.js';

const items = [1, 2, 3, 4, 5];
const report = (done) => setImmediate(done);

test('first page', () => assert.deepEqual(page(items, 0, 2), [1, 2]));

test('close what is open', (t, done) => {
  t.diagnostic('closing');
  report(done);
});

test('second page', () => assert.deepEqual(page(items, 1, 2), [3, 4]));

after(() => undefined);
