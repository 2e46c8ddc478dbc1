function diff(before, after) {
  const changed = {};
  for (const key of Object.keys(after)) {
    if (before[key] !== after[key]) changed[key] = after[key];
  }
  for (const key of Object.keys(before)) {
    if (!(key in after)) changed[key] = null;
  }
  return changed;
}

module.exports = { diff };
