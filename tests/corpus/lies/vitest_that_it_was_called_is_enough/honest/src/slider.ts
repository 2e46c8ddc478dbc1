export class Slider {
  constructor(private readonly listen: (value: number) => void) {}

  move(to: number): void {
    this.listen(Math.max(0, Math.min(to, 100)));
  }
}
