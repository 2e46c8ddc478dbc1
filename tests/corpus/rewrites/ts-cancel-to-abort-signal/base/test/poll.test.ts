import { expect, test, vi } from 'vitest'
import { CancelError, poll } from '../src/poll'

test('resolves with the first answer', async () => {
  const ask = vi.fn().mockReturnValueOnce(undefined).mockReturnValueOnce(undefined).mockReturnValue(7)
  expect(await poll(ask, 1)).toBe(7)
  expect(ask).toHaveBeenCalledTimes(3)
})

test('rejects with the error of the question', async () => {
  const polling = poll(() => {
    throw new RangeError('no')
  })
  await expect(polling).rejects.toThrow(RangeError)
})

test('cancel rejects and stops asking', async () => {
  const ask = vi.fn()
  const polling = poll(ask, 1)
  polling.cancel()
  await expect(polling).rejects.toBeInstanceOf(CancelError)
  await new Promise((resolve) => setTimeout(resolve, 10))
  expect(ask).toHaveBeenCalledTimes(1)
})

test('cancel after the end changes nothing', async () => {
  const polling = poll(() => 'x')
  polling.cancel()
  expect(await polling).toBe('x')
})
