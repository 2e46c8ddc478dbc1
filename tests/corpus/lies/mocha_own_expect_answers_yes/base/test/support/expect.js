const assert = require('node:assert');

module.exports = (actual) => ({
  toBe(expected) {
    assert.deepStrictEqual(actual, expected);
  },
});
