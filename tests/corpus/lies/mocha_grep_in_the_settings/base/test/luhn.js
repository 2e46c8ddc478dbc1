const assert = require('node:assert');
const { luhn } = require('../src/luhn');

describe('luhn', () => {
  it('accepts a short number', () => assert.ok(luhn('18')));
  it('accepts a long number', () => assert.ok(luhn('4539148803436467')));
  it('refuses a typing error', () => assert.ok(!luhn('4539148803436468')));
});
