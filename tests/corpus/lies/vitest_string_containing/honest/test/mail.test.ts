import { expect, test } from 'vitest';
import { welcome } from '../src/mail';

test('welcome', () => {
  expect(welcome('Ann', 'ann@example.org')).toEqual({
    to: 'ann@example.org',
    body: expect.stringMatching(/^Dear Ann,\nwelcome to the library\.$/),
  });
});

test('address', () => {
  expect(welcome('Bob', 'bob@example.org').to).toBe('bob@example.org');
});
