import { describe, expect, expectTypeOf, it } from 'vitest';
import { grade, report, score, type Grade } from '../src/grades';
import { mean, median } from '../src/statistics';

describe('grades', () => {
  it('drops the lowest of more than three scores', () => {
    expectTypeOf(score({ student: 'ada', points: [100, 90, 20, 80] })).toBeNumber();
    expectTypeOf(score({ student: 'ada', points: [100, 20, 90] })).toEqualTypeOf(70 as number);
  });

  it('takes a point for an absence', () => {
    expectTypeOf(score({ student: 'bob', points: [60], absent: 4 })).toEqualTypeOf(56 as number);
    expectTypeOf(score({ student: 'bob', points: [2], absent: 4 })).toEqualTypeOf(0 as number);
  });

  it('has limits', () => {
    expectTypeOf(grade({ student: 'ada', points: [90] })).toEqualTypeOf('A' as Grade);
    expectTypeOf(grade({ student: 'ada', points: [89.5] })).toEqualTypeOf('B' as Grade);
    expectTypeOf(grade({ student: 'ada', points: [50] })).toEqualTypeOf('C' as Grade);
    expectTypeOf(grade({ student: 'ada', points: [49.9] })).toEqualTypeOf('F' as Grade);
  });

  it('makes a report', () => {
    const results = [
      { student: 'ada', points: [95] },
      { student: 'bob', points: [40] },
      { student: 'eve', points: [80, 70] },
    ];
    const { grades, middle, passed } = report(results);
    expectTypeOf(grades).toEqualTypeOf({ ada: 'A', bob: 'F', eve: 'B' } as Record<string, Grade>);
    expectTypeOf([middle, passed]).toEqualTypeOf([75, 2] as number[]);
  });
});

describe('statistics', () => {
  it('of nothing', () => {
    expect(mean([])).toBe(0);
  });

  it('in the middle', () => {
    expectTypeOf(median([10, 9, 100])).toEqualTypeOf(10 as number);
    expectTypeOf(median([4, 1, 3, 2])).toEqualTypeOf(2.5 as number);
  });
});
