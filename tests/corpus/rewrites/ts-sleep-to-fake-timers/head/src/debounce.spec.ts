import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { debounce } from './debounce'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

it('calls once with the newest value', () => {
  const call = vi.fn()
  const debounced = debounce(call, 40)
  debounced(1)
  debounced(2)
  vi.advanceTimersByTime(39)
  expect(call).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(call.mock.calls).toEqual([[2]])
})

it('waits again after each call', () => {
  const call = vi.fn()
  const debounced = debounce(call, 50)
  debounced(1)
  vi.advanceTimersByTime(20)
  debounced(2)
  vi.advanceTimersByTime(49)
  expect(call).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(call).toHaveBeenCalledTimes(1)
})

it('can be cancelled', () => {
  const call = vi.fn()
  const debounced = debounce(call, 20)
  debounced(1)
  debounced.cancel()
  vi.advanceTimersByTime(50)
  expect(call).not.toHaveBeenCalled()
})

it('can be flushed', () => {
  const call = vi.fn()
  const debounced = debounce(call, 20)
  debounced(1)
  debounced.flush()
  expect(call.mock.calls).toEqual([[1]])
  vi.advanceTimersByTime(50)
  expect(call).toHaveBeenCalledTimes(1)
})
