import assert from 'node:assert';
import { test } from 'node:test';
import { page } from '../src/page.js';

const items = [1, 2, 3, 4, 5];

test('first page', () => assert.deepEqual(page(items, 0, 2), [1, 2]));

test('second page', () => assert.deepEqual(page(items, 1, 2), [3, 4]));
