class Cache {
  constructor(load) {
    this.load = load;
    this.found = new Map();
  }

  async get(key) {
    if (!this.found.has(key)) this.found.set(key, await this.load(key));
    return this.found.get(key);
  }
}

module.exports = { Cache };
