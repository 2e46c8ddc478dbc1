function count(items) {
  return items.filter((item) => !item.hidden).length;
}

module.exports = { count };
