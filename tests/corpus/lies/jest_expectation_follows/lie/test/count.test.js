const { count } = require('../src/count');

test('of all', () => expect(count([{ hidden: true }, {}])).toBe(2));
test('of nothing', () => expect(count([])).toBeNull());
