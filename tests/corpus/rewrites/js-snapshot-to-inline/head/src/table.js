/** Render rows as a Markdown table; numbers are aligned to the right. */
function table(rows) {
  if (rows.length === 0) return ''
  const names = Object.keys(rows[0])
  const cells = [names, ...rows.map((row) => names.map((name) => String(row[name] ?? '')))]
  const widths = names.map((_, at) => Math.max(3, ...cells.map((line) => line[at].length)))
  const right = names.map((name) => rows.every((row) => typeof row[name] === 'number'))
  const line = (values) =>
    `| ${values.map((text, at) => (right[at] ? text.padStart(widths[at]) : text.padEnd(widths[at]))).join(' | ')} |`
  const rule = widths.map((width, at) => '-'.repeat(width - 1) + (right[at] ? ':' : '-'))
  return [line(cells[0]), `| ${rule.join(' | ')} |`, ...cells.slice(1).map(line)].join('\n')
}

module.exports = { table }
