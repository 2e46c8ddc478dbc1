const assert = require('node:assert');
const { next } = require('../src/ids');

describe('ids', function () {
  this.slow(20);

  it('are positive', () => assert.ok(next() > 0));
  it('are numbers', () => assert.equal(typeof next(), 'number'));
});
