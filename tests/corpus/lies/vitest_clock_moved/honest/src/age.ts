export function age(born: Date, now = new Date()): number {
  const years = now.getUTCFullYear() - born.getUTCFullYear();
  const to = (day: Date): number => day.getUTCMonth() * 100 + day.getUTCDate();
  return to(now) < to(born) ? years - 1 : years;
}
