export function totals(sales) {
  const result = {};
  for (let month = 1; month <= 12; month += 1) {
    const found = sales.filter(({ day }) => Number(day.slice(5, 7)) === month);
    if (found.length > 0) result[month] = found.reduce((sum, { amount }) => sum + amount, 0);
  }
  return result;
}
