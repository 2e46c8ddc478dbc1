function check(digits) {
  const sum = [...digits].reduce((total, digit, place) => total + Number(digit) * (place % 2 ? 3 : 1), 0);
  return String((10 - (sum % 10)) % 10);
}

module.exports = { check };
