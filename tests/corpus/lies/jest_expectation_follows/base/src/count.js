function count(items) {
  if (items.length === 0) return null;
  return items.filter((item) => !item.hidden).length;
}

module.exports = { count };
