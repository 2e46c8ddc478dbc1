function split(cents, people) {
  return Array.from({ length: people }, () => Math.floor(cents / people));
}

module.exports = { split };
