const assert = require('node:assert');
const { pageOf, links } = require('../src/pages');
const { parseQuery } = require('../src/query');

const FIRST = { number: 1, last: 1, first: 0, count: 0, filters: {} };

/** Compares a page with the first of an empty list, but for what is given. */
function assertPage(query, total, differences) {
  assert.deepStrictEqual(pageOf(query, total), { ...FIRST, ...differences });
}

describe('pages', () => {
  it('begins with the first', () => {
    assertPage('', 45, { last: 3, count: 20 });
  });

  it('ends with a shorter one', () => {
    assertPage('?page=3', 45, { number: 3, last: 3, first: 40, count: 5 });
  });

  it('stays within the list', () => {
    assertPage('page=9&size=10', 45, { number: 5, last: 5, first: 40, count: 5 });
    assertPage('page=-2', 0, {});
  });

  it('limits the size', () => {
    assert.strictEqual(pageOf('size=5000', 1000).count, 100);
  });

  it('links to its neighbours with its filters', () => {
    assert.deepStrictEqual(links(pageOf('page=2&tag=red+wine', 45)), {
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
