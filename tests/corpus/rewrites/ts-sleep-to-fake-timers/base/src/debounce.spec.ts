import { expect, it, vi } from 'vitest'
import { debounce } from './debounce'

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

it('calls once with the newest value', async () => {
  const call = vi.fn()
  const debounced = debounce(call, 40)
  debounced(1)
  debounced(2)
  expect(call).not.toHaveBeenCalled()
  await sleep(80)
  expect(call.mock.calls).toEqual([[2]])
})

it('waits again after each call', async () => {
  const call = vi.fn()
  const debounced = debounce(call, 50)
  debounced(1)
  await sleep(20)
  debounced(2)
  await sleep(20)
  expect(call).not.toHaveBeenCalled()
  await sleep(60)
  expect(call).toHaveBeenCalledTimes(1)
})

it('can be cancelled', async () => {
  const call = vi.fn()
  const debounced = debounce(call, 20)
  debounced(1)
  debounced.cancel()
  await sleep(50)
  expect(call).not.toHaveBeenCalled()
})

it('can be flushed', async () => {
  const call = vi.fn()
  const debounced = debounce(call, 20)
  debounced(1)
  debounced.flush()
  expect(call.mock.calls).toEqual([[1]])
  await sleep(50)
  expect(call).toHaveBeenCalledTimes(1)
})
