const { count } = require('../src/count');

test('without the hidden', () => expect(count([{ hidden: true }, {}])).toBe(1));
test('of nothing', () => expect(count([])).toBe(0));
