function count(items) {
  return items.length || null;
}

module.exports = { count };
