const assert = require('node:assert');
const { duration } = require('../src/duration');

describe('short', () => {
  it('seconds', () => assert.equal(duration(5000), '5 s'));
});

describe('long', () => {
  before(function () {
    this.timeout(500);
    if (!process.config.variables.high_precision_clock) this.slow(200);
  });

  it('hours', () => assert.equal(duration(3660000), '1 h 1 min 0 s'));
});
