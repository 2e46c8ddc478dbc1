export class Fraction {
  constructor(readonly top: number, readonly bottom: number) {}

  invert(): Fraction {
    if (this.top === 0) throw new RangeError('zero has no inverse');
    return new Fraction(this.bottom, this.top);
  }
}

export const parse = (text: string): Fraction => {
  const [top, bottom] = text.split('/').map(Number);
  if (bottom === 0) throw new RangeError('the bottom is zero');
  return new Fraction(top, bottom);
};
