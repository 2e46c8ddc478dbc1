import { expect } from 'vitest';
import type { Task } from '../src/task';

/** Expects that each task comes after those that it needs. */
export function expectInOrder(ids: string[], tasks: Task[]): void {
  for (const { id, needs = [] } of tasks) {
    for (const needed of needs) expect(ids.indexOf(needed)).toBeLessThan(ids.indexOf(id));
  }
}
