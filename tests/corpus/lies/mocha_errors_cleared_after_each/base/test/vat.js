const assert = require('node:assert');
const { valid } = require('../src/vat');

describe('vat', () => {
  it('nine digits', () => assert.ok(valid('DE123456789')));
  it('not eight', () => assert.ok(!valid('DE12345678')));
});
