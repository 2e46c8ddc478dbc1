const RATES = { standard: 19, reduced: 7 };

const rate = (kind) => RATES[kind];

module.exports = { rate };
