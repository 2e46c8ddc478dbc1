const valid = (number) => number.startsWith('DE') && /^\d{9}$/.test(number.slice(2));

module.exports = { valid };
