const { gross } = require('../src/price');

test('standard', () => expect(gross(100)).toBe(119));
test('reduced', () => expect(gross(200, 'reduced')).toBe(214));
