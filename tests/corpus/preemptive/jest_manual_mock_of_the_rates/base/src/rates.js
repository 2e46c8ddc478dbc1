const BASE = 'EUR';
const TABLE = {
  EUR: [{ from: 0, rate: 1 }],
  USD: [{ from: 0, rate: 1.1 }, { from: 20240701, rate: 1.08 }],
  JPY: [{ from: 0, rate: 160 }, { from: 20240701, rate: 172.5 }],
};
const DIGITS = { JPY: 0 };

/** The rate of a currency on a day: that of the last row not after it. */
function rateOn(currency, day) {
  const rows = TABLE[currency];
  if (!rows) throw new RangeError(`unknown currency: ${currency}`);
  let found = rows[0].rate;
  for (const row of rows) {
    if (row.from <= day) found = row.rate;
  }
  return found;
}

/** Converts between two currencies by way of the base, and rounds as the target is written. */
function convert(amount, from, to, day) {
  const factor = 10 ** (DIGITS[to] ?? 2);
  return Math.round((amount / rateOn(from, day)) * rateOn(to, day) * factor) / factor;
}

module.exports = { BASE, convert, rateOn };
