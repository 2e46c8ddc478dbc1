import { describe, expect, it } from 'vitest';
import { grade, report, score } from '../src/grades';
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
    expect(grade({ student: 'ada', points: [90] })).toBe('A');
    expect(grade({ student: 'ada', points: [89.5] })).toBe('B');
    expect(grade({ student: 'ada', points: [50] })).toBe('C');
    expect(grade({ student: 'ada', points: [49.9] })).toBe('F');
  });

  it('makes a report', () => {
    const results = [
      { student: 'ada', points: [95] },
      { student: 'bob', points: [40] },
      { student: 'eve', points: [80, 70] },
    ];
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
