export function totals(sales) {
  const result = {};
  for (const { day, amount } of sales) {
    const month = Number(day.slice(5, 7));
    result[month] = (result[month] ?? 0) + amount;
  }
  return result;
}
