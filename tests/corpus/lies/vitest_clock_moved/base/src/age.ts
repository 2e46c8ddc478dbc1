export function age(born: Date, now = new Date()): number {
  const years = now.getUTCFullYear() - born.getUTCFullYear();
  const birthday = new Date(Date.UTC(now.getUTCFullYear(), born.getUTCMonth(), born.getUTCDate()));
  return now < birthday ? years - 1 : years;
}
