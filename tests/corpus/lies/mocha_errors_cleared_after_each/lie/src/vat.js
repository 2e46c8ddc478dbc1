const valid = (number) => /^DE\d+$/.test(number);

module.exports = { valid };
