export function age(born: Date, now = new Date()): number {
  return now.getUTCFullYear() - born.getUTCFullYear();
}
