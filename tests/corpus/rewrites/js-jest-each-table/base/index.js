const UNITS = ['year', 'month', 'day', 'hour']

/** Return the beginning of the unit that the date is in, in UTC. */
module.exports = function truncate(date, unit) {
  const depth = UNITS.indexOf(unit)
  if (depth < 0) throw new RangeError(`unknown unit: ${unit}`)
  const parts = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate(), date.getUTCHours()]
  return new Date(Date.UTC(...[0, 0, 1, 0].map((first, at) => (at <= depth ? parts[at] : first))))
}
