import { expect } from 'vitest';

expect.addSnapshotSerializer({
  test: (value) => value instanceof Date,
  serialize: (value: Date) => value.toISOString(),
});
