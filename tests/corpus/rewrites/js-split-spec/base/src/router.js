export class Router {
  #routes = []

  add(method, path, handler) {
    if (!path.startsWith('/')) throw new TypeError(`path must start with a slash: ${path}`)
    const segments = path.split('/').slice(1)
    this.#routes.push({ method, segments, handler })
    return this
  }

  find(method, path) {
    const wanted = path.split('/').slice(1)
    for (const { method: own, segments, handler } of this.#routes) {
      if (own !== method || segments.length !== wanted.length) continue
      const params = {}
      const fits = segments.every((segment, at) => {
        if (!segment.startsWith(':')) return segment === wanted[at]
        params[segment.slice(1)] = decodeURIComponent(wanted[at])
        return wanted[at] !== ''
      })
      if (fits) return { handler, params }
    }
    return null
  }
}
