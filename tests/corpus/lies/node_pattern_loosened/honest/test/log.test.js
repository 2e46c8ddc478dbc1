import assert from 'node:assert';
import { test } from 'node:test';
import { line } from '../src/log.js';

test('begins with the time in milliseconds', () => {
  assert.match(line('info', 'x', 5), /^1970-01-01T00:00:00[.]005Z\s/);
});

test('ends with level and text', () => {
  assert.match(line('warn', 'low disk', 0), / WARN low disk$/);
});
