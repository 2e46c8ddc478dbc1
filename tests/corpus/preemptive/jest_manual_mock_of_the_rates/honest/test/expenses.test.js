const { refund, settle } = require('../src/expenses');

const MAY = 20240515;
const AUGUST = 20240815;

const taxi = (amount, currency, day = MAY) => ({ kind: 'taxi', amount, currency, day });
const meal = (amount, currency) => ({ kind: 'meal', amount, currency, day: MAY });

test.each([
  ['in the base currency', taxi(23.5), 23.5],
  ['cut to the limit of meals', meal(55), 40],
  ['cut to the limit of hotels', { kind: 'hotel', amount: 220, currency: 'USD', day: MAY }, 180],
  ['at the later rate', taxi(108, 'USD', AUGUST), 100],
  ['at the earlier rate', taxi(110, 'USD'), 100],
])('refund %s', (_, expense, expected) => {
  expect(refund(expense)).toBe(expected);
});

test('unknown currency', () => {
  expect(() => refund(taxi(1, 'XXX'))).toThrow(new RangeError('unknown currency: XXX'));
});

test('trip is settled in the currency of the employee', () => {
  const expenses = [meal(20), meal(17.25, 'EUR'), taxi(1725, 'JPY', AUGUST)];
  expect(settle(expenses, 'JPY', AUGUST)).toEqual({ byKind: { meal: 37.25, taxi: 10 }, total: 8151 });
});
