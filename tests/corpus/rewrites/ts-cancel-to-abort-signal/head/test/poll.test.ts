import { expect, test, vi } from 'vitest'
import { poll } from '../src/poll'

test('resolves with the first answer', async () => {
  const ask = vi.fn().mockReturnValueOnce(undefined).mockReturnValueOnce(undefined).mockReturnValue(7)
  expect(await poll(ask, { ms: 1 })).toBe(7)
  expect(ask).toHaveBeenCalledTimes(3)
})

test('rejects with the error of the question', async () => {
  const polling = poll(() => {
    throw new RangeError('no')
  })
  await expect(polling).rejects.toThrow(RangeError)
})

test('abort rejects and stops asking', async () => {
  const ask = vi.fn()
  const controller = new AbortController()
  const polling = poll(ask, { ms: 1, signal: controller.signal })
  controller.abort()
  await expect(polling).rejects.toMatchObject({ name: 'AbortError' })
  await new Promise((resolve) => setTimeout(resolve, 10))
  expect(ask).toHaveBeenCalledTimes(1)
})

test('abort with a reason rejects with it', async () => {
  const controller = new AbortController()
  const polling = poll(() => undefined, { signal: controller.signal })
  const reason = new Error('enough')
  controller.abort(reason)
  await expect(polling).rejects.toBe(reason)
})

test('asks nothing if aborted before', async () => {
  const ask = vi.fn()
  await expect(poll(ask, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' })
  expect(ask).not.toHaveBeenCalled()
})

test('abort after the end changes nothing', async () => {
  const controller = new AbortController()
  const polling = poll(() => 'x', { signal: controller.signal })
  controller.abort()
  expect(await polling).toBe('x')
})
