'use strict'

const assert = require('assert').strict
const { parse } = require('../address')

describe('parse(text)', function () {
  it('should parse host and port', function () {
    const address = parse('https://x.org:8443')
    assert.equal(address.host, 'x.org')
    assert.equal(address.port, 8443)
  })

  it('should know default ports', function () {
    assert.equal(parse('https://x.org').port, 443)
    assert.deepEqual(parse('x.org'), { protocol: 'http', host: 'x.org', port: 80 })
  })

  it('should throw for anything else', function () {
    assert.throws(() => parse('ftp://x.org'), { name: 'SyntaxError', message: 'no address: ftp://x.org' })
    assert.throws(() => parse(''), /no address/)
  })
})
