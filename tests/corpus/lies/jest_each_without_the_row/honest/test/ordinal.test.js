const { ordinal } = require('../src/ordinal');

test.each([
  [1, '1st'],
  [4, '4th'],
  // teens have an ending of their own
  [11, '11th'],
  [14, '14th'],
  [22, '22nd'],
])('%d', (number, text) => expect(ordinal(number)).toBe(text));
