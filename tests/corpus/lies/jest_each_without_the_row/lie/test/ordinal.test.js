const { ordinal } = require('../src/ordinal');

test.each([
  [1, '1st'],
  [4, '4th'],
  // teens are covered by the tests of dates
  [14, '14th'],
  [22, '22nd'],
])('%d', (number, text) => expect(ordinal(number)).toBe(text));
