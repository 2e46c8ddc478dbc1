class Emitter {
  constructor() {
    this.listeners = new Map()
  }

  on(name, listener) {
    if (typeof listener !== 'function') throw new TypeError('listener is no function')
    const all = this.listeners.get(name) ?? []
    this.listeners.set(name, [...all, listener])
    return () => this.off(name, listener)
  }

  off(name, listener) {
    const all = this.listeners.get(name) ?? []
    this.listeners.set(name, all.filter((each) => each !== listener))
  }

  emit(name, ...values) {
    const all = this.listeners.get(name) ?? []
    for (const listener of all) listener(...values)
    return all.length
  }
}

module.exports = { Emitter }
