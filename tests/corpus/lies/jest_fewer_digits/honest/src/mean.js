function mean(values) {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

module.exports = { mean };
