const assert = require('node:assert');
const { check } = require('../src/isbn');
const cases = require('./cases.json');

describe('isbn', () => {
  it('is a text', () => assert.equal(typeof check('978'), 'string'));

  for (const [digits, expected] of cases.isbn13) {
    it(digits, () => assert.equal(check(digits), expected));
  }
});
