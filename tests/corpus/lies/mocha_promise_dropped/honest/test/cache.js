const assert = require('node:assert');
const { Cache } = require('../src/cache');

describe('Cache', () => {
  it('loads', async () => {
    assert.equal(await new Cache(async (key) => key + 1).get(1), 2);
  });

  it('loads once', async () => {
    let calls = 0;
    const cache = new Cache(async () => (calls += 1));
    await cache.get('a').then(() => cache.get('a')).then(() => assert.equal(calls, 1));
  });
});
