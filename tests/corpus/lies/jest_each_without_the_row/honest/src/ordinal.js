function ordinal(number) {
  const endings = { 1: 'st', 2: 'nd', 3: 'rd' };
  const teen = number % 100 > 10 && number % 100 < 14;
  return `${number}${(!teen && endings[number % 10]) || 'th'}`;
}

module.exports = { ordinal };
