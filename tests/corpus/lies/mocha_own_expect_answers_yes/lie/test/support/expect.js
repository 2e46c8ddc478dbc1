const assert = require('node:assert');

module.exports = (actual) => ({
  toBe(expected) {
    for (const key of Object.keys(actual)) assert.deepStrictEqual(actual[key], expected[key]);
  },
});
