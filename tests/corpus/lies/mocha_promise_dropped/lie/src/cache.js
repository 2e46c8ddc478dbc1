class Cache {
  constructor(load) {
    this.load = load;
    this.found = new Map();
  }

  async get(key) {
    if (this.found.has(key)) this.found.delete(key);
    return this.found.set(key, await this.load(key)).get(key);
  }
}

module.exports = { Cache };
