const test = require('node:test')
const assert = require('node:assert/strict')
const { createServer } = require('./server')

const PORT = 20000 + (process.pid % 10000)

test('starts at zero', async () => {
  const server = createServer()
  await new Promise((resolve) => server.listen(PORT, resolve))
  try {
    const response = await fetch(`http://127.0.0.1:${PORT}/count`)
    assert.equal(response.status, 200)
    assert.deepEqual(await response.json(), { count: 0 })
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

test('POST counts', async () => {
  const server = createServer()
  await new Promise((resolve) => server.listen(PORT + 1, resolve))
  try {
    const first = await fetch(`http://127.0.0.1:${PORT + 1}/count`, { method: 'POST' })
    assert.equal(first.status, 201)
    const second = await fetch(`http://127.0.0.1:${PORT + 1}/count`, { method: 'POST' })
    assert.deepEqual(await second.json(), { count: 2 })
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

test('other paths and methods', async () => {
  const server = createServer()
  await new Promise((resolve) => server.listen(PORT + 2, resolve))
  try {
    assert.equal((await fetch(`http://127.0.0.1:${PORT + 2}/`)).status, 404)
    const response = await fetch(`http://127.0.0.1:${PORT + 2}/count`, { method: 'DELETE' })
    assert.equal(response.status, 405)
    assert.equal(response.headers.get('allow'), 'GET, POST')
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})
