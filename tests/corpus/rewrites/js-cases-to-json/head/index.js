'use strict'

module.exports = parse

/** Parse a Range header for a file of so many bytes; -1 if nothing of it is in the file, -2 if it is malformed. */
function parse (size, header) {
  const found = /^bytes=(\d*-\d*(?:,\d*-\d*)*)$/.exec(header)
  if (!found) return -2
  const ranges = []
  for (const part of found[1].split(',')) {
    const [first, last] = part.split('-')
    if (first === '' && last === '') return -2
    let start = Number(first)
    let end = last === '' ? size - 1 : Number(last)
    if (first === '') {
      start = Math.max(0, size - Number(last))
      end = size - 1
    }
    end = Math.min(end, size - 1)
    if (start > end) continue
    ranges.push({ start, end })
  }
  return ranges.length ? ranges : -1
}
