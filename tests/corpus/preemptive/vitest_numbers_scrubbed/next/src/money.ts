/** Writes cents, with a point for thousands and a comma for cents. */
export function euros(cents: number): string {
  const sign = cents < 0 ? '-' : '';
  const whole = String(Math.floor(Math.abs(cents) / 100)).replace(/\B(?=(\d{3})+$)/g, '.');
  return `${sign}${whole},${String(Math.abs(cents) % 100).padStart(2, '0')}`;
}

/** The tax that is part of a price, in cents. */
export function includedTax(cents: number, percent: number): number {
  return Math.round((cents * percent) / 100);
}
