const { tags } = require('../src/tags');

test('no tags', () => expect(tags('plain')).toEqual([]));

test('two tags', () => {
  const found = tags('#one and #two');
  expect.assertions(2);
  ['#one', '#two'].forEach((tag, place) => expect(tag).toBe(found[place]));
});
