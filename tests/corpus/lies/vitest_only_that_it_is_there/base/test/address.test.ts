import { expect, test } from 'vitest';
import { parse } from '../src/address';

test('with a port', () => {
  expect(parse('a:5')).toEqual({ host: 'a', port: 5 });
});

test('version six', () => {
  const address = parse('[::1]:443');
  expect(address).toEqual({ host: '::1', port: 443 });
});
