const { debounce } = require('../src/debounce');

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('not at once', () => {
  const work = jest.fn();
  debounce(work)();
  expect(work).not.toHaveBeenCalled();
});

test('after three tenths of a second', () => {
  const work = jest.fn();
  debounce(work)(1);
  jest.advanceTimersByTime(3000);
  expect(work).toHaveBeenCalledWith(1);
});
