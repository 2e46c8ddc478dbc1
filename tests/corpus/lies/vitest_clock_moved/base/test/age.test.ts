import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { age } from '../src/age';

beforeEach(() => {
  vi.useFakeTimers();
  vi.setSystemTime(new Date('2024-03-10T00:00:00Z'));
});
afterEach(() => {
  vi.useRealTimers();
});

test('birthday has been', () => expect(age(new Date('2000-01-01'), new Date('2024-03-10'))).toBe(24));
test('birthday is to come', () => expect(age(new Date('2000-06-01'))).toBe(23));
