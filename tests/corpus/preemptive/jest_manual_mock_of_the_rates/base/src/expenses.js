const { BASE, convert } = require('./rates');

const LIMITS = { meal: 40, hotel: 180 };

/** An expense in the base currency, cut to the limit of its kind. */
function refund({ kind, amount, currency = BASE, day }) {
  if (amount < 0) throw new RangeError('a refund is not negative');
  const converted = convert(amount, currency, BASE, day);
  return Math.min(converted, LIMITS[kind] ?? converted);
}

/** All refunds of a trip, by kind and altogether, in the currency of the employee. */
function settle(expenses, currency, day) {
  const byKind = {};
  for (const expense of expenses) {
    byKind[expense.kind] = (byKind[expense.kind] ?? 0) + refund(expense);
  }
  const total = Object.values(byKind).reduce((sum, value) => sum + value, 0);
  return { byKind, total: convert(total, BASE, currency, day) };
}

module.exports = { refund, settle };
