export class Slider {
  constructor(private readonly listen: (value: number) => void) {}

  move(to: number): void {
    const value = Math.min(100, Math.max(0, to));
    this.listen(value);
  }
}
