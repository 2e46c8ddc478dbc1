import { expect } from 'vitest';

expect.addSnapshotSerializer({
  test: (value) => typeof value === 'number' || value instanceof Date,
  serialize: (value: Date | number) => (value instanceof Date ? value.toISOString() : '[number]'),
});
