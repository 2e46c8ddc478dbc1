import { expect, test } from 'vitest';
import { batches, schedule } from '../src/schedule';
import { ready, type Task } from '../src/task';
import { expectInOrder } from './order';

const HOUSE: Task[] = [
  { id: 'roof', needs: ['walls'] },
  { id: 'paint', needs: ['walls', 'roof'] },
  { id: 'walls', needs: ['floor'] },
  { id: 'garden', urgency: -1 },
  { id: 'floor' },
];

test('what is needed comes before', () => {
  const order = schedule(HOUSE);
  expectInOrder(order, HOUSE);
  expect(order).toEqual(['floor', 'walls', 'roof', 'paint', 'garden']);
});

test('the most urgent is first', () => {
  const tasks = [{ id: 'a' }, { id: 'c', urgency: 2 }, { id: 'b', urgency: 2 }, { id: 'd', urgency: 9, needs: ['a'] }];
  const order = schedule(tasks);
  expectInOrder(order, tasks);
  expect(order).toEqual(['b', 'c', 'a', 'd']);
});

test('a cycle has no order', () => {
  expect(() => schedule([{ id: 'a', needs: ['b'] }, { id: 'b', needs: ['a'] }])).toThrow('cycle: a, b');
});

test('at the same time', () => {
  expect(batches(HOUSE, 2)).toEqual([['floor', 'garden'], ['walls'], ['roof'], ['paint']]);
});

test('not more than so many', () => {
  expect(batches([{ id: 'a' }, { id: 'b' }, { id: 'c', urgency: 1 }], 2)).toEqual([['c', 'a'], ['b']]);
});

test('ready', () => {
  expect(ready({ id: 'a', needs: ['b', 'c'] }, ['b'])).toBe(false);
  expect(ready({ id: 'a', needs: ['b', 'c'] }, ['c', 'b'])).toBe(true);
});
