const rate = (kind) => (kind === 'reduced' ? 7 : 19);

module.exports = { rate };
