const { load } = require('../src/load');

test('known', () => expect(load('a', { a: 1 })).resolves.toBe(1));

test('unknown', () => {
  return expect(load('b', {})).rejects.toThrow('no b');
});
