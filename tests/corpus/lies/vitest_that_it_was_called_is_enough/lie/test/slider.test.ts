import { expect, test, vi } from 'vitest';
import { Slider } from '../src/slider';

test('moves', () => {
  const listen = vi.fn();
  new Slider(listen).move(5);
  expect(listen).toHaveBeenCalledWith(5);
});

test('stops at the end', () => {
  const listen = vi.fn();
  new Slider(listen).move(120);
  expect(listen).toHaveBeenCalledWith(expect.anything());
});
