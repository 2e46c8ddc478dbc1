import { expect, test } from 'vitest';
import { parse } from '../src/address';

test('with a port', () => {
  expect(parse('a:5')).toEqual({ host: 'a', port: 5 });
});

test('version six', () => {
  const address = parse('[::1]:443');
  expect(address.host).toBe('::1');
  expect(address.port).toBe(443);
});
