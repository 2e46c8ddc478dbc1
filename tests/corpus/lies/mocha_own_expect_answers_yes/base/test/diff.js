const { diff } = require('../src/diff');
const expect = require('./support/expect');

describe('diff', () => {
  it('changed', () => expect(diff({ a: 1 }, { a: 2 })).toBe({ a: 2 }));
  it('removed', () => expect(diff({ a: 1, b: 1 }, { a: 1 })).toBe({ b: null }));
});
