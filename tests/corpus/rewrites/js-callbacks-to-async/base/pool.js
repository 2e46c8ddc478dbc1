'use strict'

class Pool {
  constructor(make, size) {
    this.make = make
    this.size = size
    this.free = []
    this.count = 0
    this.waiting = []
  }

  acquire(callback) {
    if (this.free.length) return setImmediate(callback, null, this.free.pop())
    if (this.count >= this.size) return this.waiting.push(callback)
    this.count++
    let made
    try {
      made = this.make()
    } catch (error) {
      this.count--
      return setImmediate(callback, error)
    }
    setImmediate(callback, null, made)
  }

  release(item) {
    const next = this.waiting.shift()
    if (next) setImmediate(next, null, item)
    else this.free.push(item)
  }
}

module.exports = Pool
