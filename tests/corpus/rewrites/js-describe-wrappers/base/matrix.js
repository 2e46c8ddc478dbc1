export function transpose(rows) {
  if (rows.length === 0) return []
  return rows[0].map((_, column) => rows.map((row) => row[column]))
}

export function multiply(a, b) {
  if (a[0].length !== b.length) throw new RangeError(`${a[0].length} columns, ${b.length} rows`)
  const columns = transpose(b)
  return a.map((row) => columns.map((column) => row.reduce((sum, value, at) => sum + value * column[at], 0)))
}

export function identity(size) {
  return Array.from({ length: size }, (_, row) => Array.from({ length: size }, (_, column) => Number(row === column)))
}
