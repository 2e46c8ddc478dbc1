const { load } = require('../src/load');

test('known', () => expect(load('a', { a: 1 })).resolves.toBe(1));

test('unknown', () => {
  return load('b', {}).catch((error) => expect(error.message).toBe('no b'));
});
