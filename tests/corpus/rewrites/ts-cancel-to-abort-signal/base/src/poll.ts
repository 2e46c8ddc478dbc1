export class CancelError extends Error {
  override name = 'CancelError'
}

export interface Polling<T> extends Promise<T> {
  cancel(): void
}

/** Ask again and again until there is an answer. */
export function poll<T>(ask: () => T | undefined, ms = 10): Polling<T> {
  let cancel = () => {}
  const promise = new Promise<T>((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout>
    const again = () => {
      try {
        const answer = ask()
        if (answer === undefined) timer = setTimeout(again, ms)
        else resolve(answer)
      } catch (error) {
        reject(error)
      }
    }
    cancel = () => {
      clearTimeout(timer)
      reject(new CancelError('cancelled'))
    }
    again()
  })
  return Object.assign(promise, { cancel: () => cancel() })
}
