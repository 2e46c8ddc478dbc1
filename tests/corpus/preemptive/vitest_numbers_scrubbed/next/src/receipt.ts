import { randomUUID } from 'node:crypto';
import { euros, includedTax } from './money';

export interface Line {
  name: string;
  cents: number;
  quantity?: number;
  /** 19 if nothing is said. */
  tax?: number;
}

const WIDTH = 28;

function row(name: string, cents: number): string {
  const amount = euros(cents);
  return name.slice(0, WIDTH - amount.length - 1).padEnd(WIDTH - amount.length) + amount;
}

/** The text of a receipt: its id and day, the lines, their sum, and the tax of each rate. */
export function receipt(lines: Line[], paid: number, now = new Date()): string {
  const taxes = new Map<number, number>();
  let sum = 0;
  const rows = lines.map(({ name, cents, quantity = 1, tax = 19 }) => {
    const price = cents * quantity;
    sum += price;
    taxes.set(tax, price);
    return row(quantity === 1 ? name : `${quantity} x ${name}`, price);
  });
  const rates = [...taxes].sort(([one], [other]) => other - one);
  return [
    `receipt ${randomUUID().slice(0, 8)}`,
    now.toISOString().slice(0, 10),
    '',
    ...rows,
    '-'.repeat(WIDTH),
    row('sum', sum),
    row('paid', paid),
    ...(paid > sum ? [row('back', paid - sum)] : []),
    ...rates.map(([percent, price]) => row(`${percent} % tax`, includedTax(price, percent))),
  ].join('\n');
}
