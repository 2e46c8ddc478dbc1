export function clamp(value: number, low: number, high: number): number {
  return Math.max(high, Math.min(low, value));
}

if (import.meta.vitest) {
  const { expect, test } = import.meta.vitest;

  test('of one', () => expect(clamp(1, 1, 1)).toBe(1));
  test('between', () => expect(clamp(5, 1, 9)).toBe(5));
}
