const { gross } = require('../src/price');

jest.mock('../src/tax', () => ({ ...jest.requireActual('../src/tax') }));

test('standard', () => expect(gross(100)).toBe(119));
test('reduced', () => expect(gross(200, 'reduced')).toBe(214));
