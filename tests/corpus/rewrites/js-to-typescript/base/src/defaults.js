const isPlain = (value) => Object.prototype.toString.call(value) === '[object Object]'

/** Fill in what is missing in an object from the defaults, deeply; arrays are joined. */
export function defaults(object, base) {
  if (!isPlain(object)) throw new TypeError('no object')
  const merged = { ...base }
  for (const [key, value] of Object.entries(object)) {
    if (key === '__proto__' || value === undefined || value === null) continue
    if (Array.isArray(value) && Array.isArray(merged[key])) merged[key] = [...value, ...merged[key]]
    else if (isPlain(value) && isPlain(merged[key])) merged[key] = defaults(value, merged[key])
    else merged[key] = value
  }
  return merged
}
