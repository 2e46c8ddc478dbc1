export class Slider {
  constructor(private readonly listen: (value: number) => void) {}

  move(to: number): void {
    if (to >= 0) this.listen(to);
  }
}
