const rate = (kind) => (kind === 'standard' ? 19 : 0);

module.exports = { rate };
