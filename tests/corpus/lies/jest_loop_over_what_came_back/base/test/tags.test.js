const { tags } = require('../src/tags');

test('no tags', () => expect(tags('plain')).toEqual([]));

test('two tags', () => {
  const found = tags('#one and #two');
  expect(found).toEqual(['#one', '#two']);
});
