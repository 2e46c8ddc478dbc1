import assert from 'node:assert';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { totals } from '../src/months.js';

const data = (name) => JSON.parse(readFileSync(new URL(`data/${name}.json`, import.meta.url)));

test('totals', () => assert.deepEqual(totals(data('sales')), data('totals')));
test('nothing', () => assert.deepEqual(totals([]), {}));
