import assert from 'node:assert';
import { test } from 'node:test';
import { sum } from '../src/sum.js';

test('numbers', () => assert.strictEqual(sum(1, 2, 3), 6));
test('texts', () => assert.strictEqual(sum('4', '0'), 4));
