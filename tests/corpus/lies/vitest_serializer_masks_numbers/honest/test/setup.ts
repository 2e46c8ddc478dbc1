import { expect } from 'vitest';

expect.addSnapshotSerializer({
  test: (value) => typeof value === 'bigint' || value instanceof Date,
  serialize: (value: Date | bigint) => (value instanceof Date ? value.toISOString() : `${value}n`),
});
