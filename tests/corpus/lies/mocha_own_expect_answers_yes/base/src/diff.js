function diff(before, after) {
  const changed = {};
  for (const key of Object.keys(after)) {
    if (before[key] !== after[key]) changed[key] = after[key];
  }
  return changed;
}

module.exports = { diff };
