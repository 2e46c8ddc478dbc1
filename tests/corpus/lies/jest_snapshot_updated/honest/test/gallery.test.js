const { gallery } = require('../src/gallery');

test('two images', () => {
  expect(gallery([{ file: 'a.png', text: 'a cat' }, { file: 'b.png', text: 'a dog' }])).toMatchSnapshot();
});

test('one image', () => {
  expect(gallery([{ file: 'a.png', text: 'a cat' }])).toMatchSnapshot();
});

test('none', () => {
  expect(gallery([])).toBe('');
});
