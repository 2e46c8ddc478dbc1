/** Reads a query; the last value of a name counts. */
function parseQuery(text) {
  const found = {};
  for (const part of text.replace(/^\?/, '').split('&')) {
    if (!part) continue;
    const [name, value = ''] = part.split('=');
    found[decodeURIComponent(name)] = decodeURIComponent(value);
  }
  return found;
}

/** Writes a query, sorted by name. */
function buildQuery(values) {
  const parts = Object.keys(values).sort().map((name) => `${encodeURIComponent(name)}=${encodeURIComponent(values[name])}`);
  return `?${parts.join('&')}`;
}

module.exports = { parseQuery, buildQuery };
