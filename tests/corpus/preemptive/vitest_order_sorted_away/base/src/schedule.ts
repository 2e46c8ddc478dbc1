import { compare, ready, type Task } from './task';

/** Tasks in an order in which each comes after those that it needs; of several the most urgent is first. */
export function schedule(tasks: Task[]): string[] {
  const done: string[] = [];
  let left = [...tasks];
  while (left.length > 0) {
    const possible = left.filter((task) => ready(task, done)).sort(compare);
    if (possible.length === 0) throw new Error(`cycle: ${left.map((task) => task.id).sort().join(', ')}`);
    done.push(possible[0].id);
    left = left.filter((task) => task.id !== possible[0].id);
  }
  return done;
}

/** Tasks in groups of those that can be done at the same time, so many at most. */
export function batches(tasks: Task[], most: number): string[][] {
  const found: string[][] = [];
  let left = [...tasks];
  while (left.length > 0) {
    const done = found.flat();
    const batch = left.filter((task) => ready(task, done)).sort(compare).slice(0, most);
    if (batch.length === 0) throw new Error('cycle');
    found.push(batch.map((task) => task.id));
    left = left.filter((task) => !batch.includes(task));
  }
  return found;
}
