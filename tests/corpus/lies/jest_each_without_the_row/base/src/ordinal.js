function ordinal(number) {
  const endings = { 1: 'st', 2: 'nd', 3: 'rd' };
  return `${number}${endings[number % 10] ?? 'th'}`;
}

module.exports = { ordinal };
