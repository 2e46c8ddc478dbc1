const mean = (values) => values.reduce((sum, value) => sum + Math.round(value), 0) / values.length;

module.exports = { mean };
