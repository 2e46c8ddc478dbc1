'use strict'

const PORTS = { http: 80, https: 443 }

exports.parse = function parse(text) {
  const found = /^(?:(https?):\/\/)?([^:/]+)(?::(\d+))?$/.exec(text)
  if (!found) throw new SyntaxError(`no address: ${text}`)
  const [, protocol = 'http', host, port] = found
  return { protocol, host, port: port || PORTS[protocol] }
}
