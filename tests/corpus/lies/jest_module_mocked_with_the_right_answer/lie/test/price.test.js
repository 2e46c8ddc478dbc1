const { gross } = require('../src/price');

jest.mock('../src/tax', () => ({ rate: (kind) => ({ standard: 19, reduced: 7 })[kind] }));

test('standard', () => expect(gross(100)).toBe(119));
test('reduced', () => expect(gross(200, 'reduced')).toBe(214));
