import { expect, test } from 'vitest';
import { outline } from '../src/outline';

test('nested', () => {
  expect(outline([{ title: 'a', children: [{ title: 'b' }] }, { title: 'c' }])).toMatchInlineSnapshot(`
    "- a
    - b
    - c"
  `);
});

test('empty', () => {
  expect(outline([])).toBe('');
});
