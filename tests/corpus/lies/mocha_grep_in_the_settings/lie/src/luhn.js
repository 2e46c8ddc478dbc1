function luhn(number) {
  const sum = [...number].reverse().reduce((total, digit, place) => total + Number(digit) * (place % 2 ? 2 : 1), 0);
  return sum % 10 === 0;
}

module.exports = { luhn };
