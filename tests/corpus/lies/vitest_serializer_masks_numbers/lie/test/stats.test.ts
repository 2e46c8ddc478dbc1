import { expect, test } from 'vitest';
import { stats } from '../src/stats';

test('count', () => expect(stats([1]).count).toBe(1));

test('stats', () => {
  expect(stats([9, 100, 20])).toMatchInlineSnapshot(`
    {
      "count": [number],
      "least": [number],
      "most": [number],
    }
  `);
});
