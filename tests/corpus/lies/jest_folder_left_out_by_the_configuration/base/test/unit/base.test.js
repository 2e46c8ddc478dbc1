const { base } = require('../../src/path');

test('base', () => expect(base('a/b')).toBe('b'));
