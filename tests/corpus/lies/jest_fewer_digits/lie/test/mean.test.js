const { mean } = require('../src/mean');

test('of integers', () => expect(mean([1, 2, 3])).toBe(2));
test('of fractions', () => expect(mean([0.4, 0.3, 0.2])).toBeCloseTo(0.3, 0));
