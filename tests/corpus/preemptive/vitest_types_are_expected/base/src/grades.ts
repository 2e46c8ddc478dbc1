import { mean, median } from './statistics';

export interface Result {
  student: string;
  points: number[];
  absent?: number;
}

export type Grade = 'A' | 'B' | 'C' | 'F';

const LIMITS: [number, Grade][] = [[90, 'A'], [75, 'B'], [50, 'C']];

/** The mean without the lowest score, if there are more than three; every absence costs a point. */
export function score({ points, absent = 0 }: Result): number {
  const counted = points.length > 3 ? [...points].sort((a, b) => a - b).slice(1) : points;
  return Math.max(mean(counted) - absent, 0);
}

export function grade(result: Result): Grade {
  const reached = score(result);
  return LIMITS.find(([limit]) => reached >= limit)?.[1] ?? 'F';
}

/** How a class did: grades by student, and the score in the middle. */
export function report(results: Result[]): { grades: Record<string, Grade>; middle: number; passed: number } {
  const grades = Object.fromEntries(results.map((result) => [result.student, grade(result)]));
  const passed = Object.values(grades).filter((found) => found !== 'F').length;
  return { grades, middle: median(results.map(score)), passed };
}
