const { Emitter } = require('../src/emitter.js')

describe('Emitter', () => {
  let emitter

  beforeEach(() => {
    emitter = new Emitter()
  })

  test('calls listeners in order', () => {
    const calls = []
    emitter.on('a', () => calls.push(1))
    emitter.on('a', () => calls.push(2))
    expect(emitter.emit('a')).toBe(2)
    expect(calls).toEqual([1, 2])
  })

  test('passes values', () => {
    const listener = jest.fn()
    emitter.on('a', listener)
    emitter.emit('a', 1, 'x')
    expect(listener).toHaveBeenCalledTimes(1)
    expect(listener).toHaveBeenCalledWith(1, 'x')
  })

  test('returns what removes the listener', () => {
    const listener = jest.fn()
    const remove = emitter.on('a', listener)
    remove()
    expect(emitter.emit('a')).toBe(0)
    expect(listener).not.toHaveBeenCalled()
  })

  test('emits without listeners', () => {
    expect(emitter.emit('none')).toBe(0)
  })

  test('refuses what is no function', () => {
    expect(() => emitter.on('a', null)).toThrow(TypeError)
  })
})
