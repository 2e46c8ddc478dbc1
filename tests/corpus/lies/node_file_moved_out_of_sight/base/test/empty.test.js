import assert from 'node:assert';
import { test } from 'node:test';
import { isEmpty } from '../src/deep.js';

test('empty', () => assert.ok(isEmpty({})));
