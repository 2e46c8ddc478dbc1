'use strict'

const UNITS = { b: 1, kb: 1 << 10, mb: 1 << 20, gb: 1 << 30, tb: Math.pow(1024, 4) }
const PATTERN = /^(-?\d+(?:\.\d+)?) *(kb|mb|gb|tb|b)?$/i

module.exports = { parse, format }

function parse (value) {
  if (typeof value === 'number' && !isNaN(value)) return value
  if (typeof value !== 'string') return null
  const found = PATTERN.exec(value.trim())
  if (!found) return null
  return Math.floor(UNITS[(found[2] || 'b').toLowerCase()] * parseFloat(found[1]))
}

function format (value, { separator = '', places = 2 } = {}) {
  if (!Number.isFinite(value)) return null
  const size = Math.abs(value)
  const unit = ['TB', 'GB', 'MB', 'KB'].find(name => size >= UNITS[name.toLowerCase()]) || 'B'
  const text = (value / UNITS[unit.toLowerCase()]).toFixed(places).replace(/\.?0+$/, places ? '' : '$&')
  return text + separator + unit
}
