const DOUBLED = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9];

function luhn(number) {
  const digits = [...number].reverse().map(Number);
  const sum = digits.reduce((total, digit, place) => total + (place % 2 ? DOUBLED[digit] : digit), 0);
  return sum % 10 === 0;
}

module.exports = { luhn };
