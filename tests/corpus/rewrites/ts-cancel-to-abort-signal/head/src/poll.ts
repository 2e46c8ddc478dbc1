export interface Options {
  ms?: number
  signal?: AbortSignal
}

/** Ask again and again until there is an answer; rejects with the reason of the signal once it is aborted. */
export function poll<T>(ask: () => T | undefined, { ms = 10, signal }: Options = {}): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    let timer: ReturnType<typeof setTimeout>
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const end = (settle: () => void) => {
      signal?.removeEventListener('abort', abort)
      settle()
    }
    const again = () => {
      try {
        const answer = ask()
        if (answer === undefined) timer = setTimeout(again, ms)
        else end(() => resolve(answer))
      } catch (error) {
        end(() => reject(error))
      }
    }
    signal?.addEventListener('abort', abort, { once: true })
    again()
  })
}
