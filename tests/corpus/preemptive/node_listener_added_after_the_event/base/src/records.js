const LINE = /^(\w+)\s+(-?\d+(?:\.\d+)?)([a-z]*)$/;
const FACTORS = { '': 1, k: 1000, m: 1000000 };

/** Reads "name 1.5k", or returns null. */
export function parseRecord(line) {
  const found = LINE.exec(line.trim());
  if (!found || !(found[3] in FACTORS)) return null;
  return { name: found[1], value: Number(found[2]) * FACTORS[found[3]] };
}

/** Adds up values by name. */
export function summarize(records) {
  const totals = {};
  for (const { name, value } of records) {
    totals[name] = (totals[name] ?? 0) + value;
  }
  const values = records.map((record) => record.value);
  return { totals, count: records.length, greatest: values.length ? Math.max(...values) : null };
}
