import { Router } from '../src/router.js'

export const handler = () => 'x'

/** A router with the handler for GET at each of the paths. */
export function routes(...paths) {
  const router = new Router()
  for (const path of paths) router.add('GET', path, handler)
  return router
}
