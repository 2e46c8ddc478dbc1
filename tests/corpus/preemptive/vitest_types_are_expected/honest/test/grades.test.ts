import { describe, expect, expectTypeOf, it } from 'vitest';
import { grade, report, score, type Grade } from '../src/grades';
import { mean, median } from '../src/statistics';

describe('grades', () => {
  it('drops the lowest of more than three scores', () => {
    expect(score({ student: 'ada', points: [100, 90, 20, 80] })).toBe(90);
    expect(score({ student: 'ada', points: [100, 20, 90] })).toBe(70);
  });

  it('takes a point for an absence', () => {
    expect(score({ student: 'bob', points: [60], absent: 4 })).toBe(56);
    expect(score({ student: 'bob', points: [2], absent: 4 })).toBe(0);
  });

  it('has limits', () => {
    const points = [90, 89.5, 50, 49.9];
    const grades = points.map((reached) => grade({ student: 'ada', points: [reached] }));
    expectTypeOf(grades).toEqualTypeOf<Grade[]>();
    expect(grades).toEqual(['A', 'B', 'C', 'F']);
  });

  it('makes a report', () => {
    const results = [
      { student: 'ada', points: [95] },
      { student: 'bob', points: [40] },
      { student: 'eve', points: [80, 70] },
    ];
    expectTypeOf(report(results).grades).toEqualTypeOf<Record<string, Grade>>();
    expect(report(results)).toEqual({ grades: { ada: 'A', bob: 'F', eve: 'B' }, middle: 75, passed: 2 });
  });
});

describe('statistics', () => {
  it('of nothing', () => {
    expect(mean([])).toBe(0);
  });

  it('in the middle', () => {
    expect(median([10, 9, 100])).toBe(10);
    expect(median([4, 1, 3, 2])).toBe(2.5);
  });
});
