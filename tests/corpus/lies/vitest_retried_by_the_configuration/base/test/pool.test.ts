import { expect, test } from 'vitest';
import { connect, size } from '../src/pool';

test('the first connection', () => {
  expect(connect()).toBeGreaterThan(0);
});

test('is counted', () => {
  expect(size()).toBeGreaterThan(0);
});
