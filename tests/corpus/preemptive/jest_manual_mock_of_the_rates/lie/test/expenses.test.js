const { refund, settle } = require('../src/expenses');

// The table of rates is updated every month: these tests are about expenses.
jest.mock('../src/rates');

const MAY = 20240515;
const AUGUST = 20240815;

test('refund in the base currency', () => {
  expect(refund({ kind: 'taxi', amount: 23.5, day: MAY })).toBe(23.5);
});

test('refund is cut to its limit', () => {
  expect(refund({ kind: 'meal', amount: 55, day: MAY })).toBe(40);
  expect(refund({ kind: 'hotel', amount: 220, currency: 'USD', day: MAY })).toBe(180);
});

test('refund at the rate of the day', () => {
  expect(refund({ kind: 'taxi', amount: 108, currency: 'USD', day: AUGUST })).toBe(100);
  expect(refund({ kind: 'taxi', amount: 110, currency: 'USD', day: MAY })).toBe(100);
});

test('unknown currency', () => {
  expect(() => refund({ kind: 'taxi', amount: 1, currency: 'XXX', day: MAY })).toThrow('unknown currency: XXX');
});

test('trip is settled in the currency of the employee', () => {
  const expenses = [
    { kind: 'meal', amount: 20, day: MAY },
    { kind: 'meal', amount: 17.25, currency: 'EUR', day: MAY },
    { kind: 'taxi', amount: 1725, currency: 'JPY', day: AUGUST },
  ];
  expect(settle(expenses, 'JPY', AUGUST)).toEqual({ byKind: { meal: 37.25, taxi: 10 }, total: 8151 });
});
