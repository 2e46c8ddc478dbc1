const test = require('node:test')
const assert = require('node:assert/strict')
const { once } = require('node:events')
const { createServer } = require('./server')

/** Start a server for the time of the test; returns what sends a request to it. */
async function start(t) {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return (path, method = 'GET') => fetch(`http://127.0.0.1:${server.address().port}${path}`, { method })
}

test('starts at zero', async (t) => {
  const send = await start(t)
  const response = await send('/count')
  assert.equal(response.status, 200)
  assert.deepEqual(await response.json(), { count: 0 })
})

test('POST counts', async (t) => {
  const send = await start(t)
  assert.equal((await send('/count', 'POST')).status, 201)
  const second = await send('/count', 'POST')
  assert.deepEqual(await second.json(), { count: 2 })
})

test('other paths and methods', async (t) => {
  const send = await start(t)
  assert.equal((await send('/')).status, 404)
  const response = await send('/count', 'DELETE')
  assert.equal(response.status, 405)
  assert.equal(response.headers.get('allow'), 'GET, POST')
})
