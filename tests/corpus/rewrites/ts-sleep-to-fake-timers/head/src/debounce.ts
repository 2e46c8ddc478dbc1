export interface Debounced<A extends unknown[]> {
  (...values: A): void
  cancel(): void
  flush(): void
}

/** Call once nothing has called for so many milliseconds, with the newest values. */
export function debounce<A extends unknown[]>(call: (...values: A) => void, ms: number): Debounced<A> {
  let timer: ReturnType<typeof setTimeout> | undefined
  let newest: A | undefined
  const fire = () => {
    timer = undefined
    const values = newest
    newest = undefined
    if (values) call(...values)
  }
  const debounced = (...values: A) => {
    newest = values
    clearTimeout(timer)
    timer = setTimeout(fire, ms)
  }
  debounced.cancel = () => {
    clearTimeout(timer)
    timer = newest = undefined
  }
  debounced.flush = () => {
    clearTimeout(timer)
    fire()
  }
  return debounced
}
