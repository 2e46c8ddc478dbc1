const { split } = require('../src/split');

test('even', () => expect(split(100, 4)).toAddUpTo(100));
test('odd', () => expect(split(100, 3)).toAddUpTo(100));
