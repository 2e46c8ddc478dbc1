const valid = (number) => /^DE\d{9}$/.test(number);

module.exports = { valid };
