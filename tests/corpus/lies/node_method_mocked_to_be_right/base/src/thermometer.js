export class Thermometer {
  constructor(celsius) {
    this.celsius = celsius;
  }

  fahrenheit() {
    return this.celsius * 1.8 - 32;
  }

  toString() {
    return `${this.fahrenheit()} °F`;
  }
}
