const { retry } = require('../src/retry');

const slow = process.env.RUN_SLOW === '1' ? describe : describe.skip;

describe('success', () => {
  test('at once', async () => {
    expect(await retry(async () => 1, 3)).toBe(1);
  });
});

slow('failure', () => {
  test('tries as often as it was told', async () => {
    const work = jest.fn().mockRejectedValue(new Error('x'));
    await expect(retry(work, 3)).rejects.toThrow('gave up');
    expect(work).toHaveBeenCalledTimes(3);
  });
});
