const { create } = require('../src/users');

test('an administrator', () => {
  expect(create('ann', { admin: true })).toEqual({ name: 'ann', role: 'admin', active: true });
});

test('a user', () => {
  expect(create('bob')).toEqual({ name: 'bob', role: 'user', active: true });
});
