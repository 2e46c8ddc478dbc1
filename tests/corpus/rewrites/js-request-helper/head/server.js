const http = require('node:http')

function createServer() {
  let count = 0
  return http.createServer((request, response) => {
    if (request.url !== '/count') {
      response.writeHead(404).end()
    } else if (request.method === 'POST') {
      count += 1
      response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ count }))
    } else if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ count }))
    } else {
      response.writeHead(405, { allow: 'GET, POST' }).end()
    }
  })
}

module.exports = { createServer }

if (require.main === module) createServer().listen(process.env.PORT || 8080)
