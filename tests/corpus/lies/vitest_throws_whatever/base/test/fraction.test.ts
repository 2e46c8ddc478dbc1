import { expect, test } from 'vitest';
import { Fraction, parse } from '../src/fraction';

test('zero has no inverse', () => {
  expect(() => new Fraction(0, 1).invert()).toThrow(RangeError);
});

test('nothing is divided by zero', () => {
  expect(() => parse('1/0')).toThrow('the bottom is zero');
});
