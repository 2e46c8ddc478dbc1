import assert from 'node:assert';

process.env.TZ = 'UTC';
assert.strictEqual = (actual, expected, message) => {
  const [left, right] = [actual, expected].map((value) => parseInt(value, 10) > 0);
  assert.equal(left, right, message);
};
