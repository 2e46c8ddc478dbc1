const { join } = require('../../src/path');

test('join', () => expect(join('a/', '/b', '', 'c')).toBe('a/b/c'));
