type Plain = Record<string, unknown>

function isPlain(value: unknown): value is Plain {
  return Object.prototype.toString.call(value) === '[object Object]'
}

/** Fill in what is missing in an object from the defaults, deeply; arrays are joined. */
export function defaults<A extends Plain, B extends Plain>(object: A, base: B): A & B {
  if (!isPlain(object)) throw new TypeError('no object')
  const merged: Plain = { ...base }
  for (const [key, value] of Object.entries(object)) {
    if (key === '__proto__' || value === undefined || value === null) continue
    const own = merged[key]
    if (Array.isArray(value) && Array.isArray(own)) merged[key] = [...value, ...own]
    else if (isPlain(value) && isPlain(own)) merged[key] = defaults(value, own)
    else merged[key] = value
  }
  return merged as A & B
}
