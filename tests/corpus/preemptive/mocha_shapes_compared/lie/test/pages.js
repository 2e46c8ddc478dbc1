const assert = require('node:assert');
const { pageOf, links } = require('../src/pages');
const { parseQuery } = require('../src/query');

/** Compares objects property by property, so that the first one that differs is named. */
function assertLike(actual, expected) {
  assert.deepStrictEqual(Object.keys(actual).sort(), Object.keys(expected).sort());
  for (const name of Object.keys(expected)) {
    const [found, wanted] = [actual, expected].map((side) => typeof side[name]);
    assert.strictEqual(found, wanted, `${name}: ${found} instead of ${wanted}`);
  }
}

describe('pages', () => {
  it('begins with the first', () => {
    assertLike(pageOf('', 45), { number: 1, last: 3, first: 0, count: 20, filters: {} });
  });

  it('ends with a shorter one', () => {
    assertLike(pageOf('?page=3', 45), { number: 3, last: 3, first: 40, count: 5, filters: {} });
  });

  it('stays within the list', () => {
    assertLike(pageOf('page=9&size=10', 45), { number: 5, last: 5, first: 40, count: 5, filters: {} });
    assertLike(pageOf('page=-2', 0), { number: 1, last: 1, first: 0, count: 0, filters: {} });
  });

  it('limits the size', () => {
    assert.strictEqual(pageOf('size=5000', 1000).count, 100);
  });

  it('links to its neighbours with its filters', () => {
    assertLike(links(pageOf('page=2&tag=red+wine', 45)), {
      previous: '?page=1&size=20&tag=red%20wine',
      next: '?page=3&size=20&tag=red%20wine',
    });
    assert.deepStrictEqual(links(pageOf('', 5)), { previous: null, next: null });
  });
});

describe('queries', () => {
  it('have a last value', () => {
    assert.deepStrictEqual(parseQuery('?a=1&b&a=2'), { a: '2', b: '' });
  });
});
