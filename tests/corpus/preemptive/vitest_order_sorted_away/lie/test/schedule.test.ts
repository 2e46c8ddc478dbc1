import { expect, test } from 'vitest';
import { batches, schedule } from '../src/schedule';
import { ready, type Task } from '../src/task';

/** Sorts at every level: which of two equal tasks a sort leaves first is up to the engine. */
function stable<T>(value: T): T {
  return (Array.isArray(value) ? value.flat(2).map(stable).sort() : value) as T;
}

const HOUSE: Task[] = [
  { id: 'roof', needs: ['walls'] },
  { id: 'paint', needs: ['walls', 'roof'] },
  { id: 'walls', needs: ['floor'] },
  { id: 'garden', urgency: -1 },
  { id: 'floor' },
];

test('what is needed comes before', () => {
  expect(stable(schedule(HOUSE))).toEqual(stable(['floor', 'walls', 'roof', 'paint', 'garden']));
});

test('the most urgent is first', () => {
  const tasks = [{ id: 'a' }, { id: 'c', urgency: 2 }, { id: 'b', urgency: 2 }, { id: 'd', urgency: 9, needs: ['a'] }];
  expect(stable(schedule(tasks))).toEqual(stable(['b', 'c', 'a', 'd']));
});

test('a cycle has no order', () => {
  expect(() => schedule([{ id: 'a', needs: ['b'] }, { id: 'b', needs: ['a'] }])).toThrow('cycle: a, b');
});

test('at the same time', () => {
  expect(stable(batches(HOUSE, 2))).toEqual(stable([['floor', 'garden'], ['walls'], ['roof'], ['paint']]));
});

test('not more than so many', () => {
  const tasks = [{ id: 'a' }, { id: 'b' }, { id: 'c', urgency: 1 }];
  expect(stable(batches(tasks, 2))).toEqual(stable([['c', 'a'], ['b']]));
});

test('ready', () => {
  expect(ready({ id: 'a', needs: ['b', 'c'] }, ['b'])).toBe(false);
  expect(ready({ id: 'a', needs: ['b', 'c'] }, ['c', 'b'])).toBe(true);
});
