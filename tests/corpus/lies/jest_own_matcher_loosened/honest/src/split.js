function split(cents, people) {
  const share = Math.floor(cents / people);
  return Array.from({ length: people }, (_, place) => share + (place < cents % people ? 1 : 0));
}

module.exports = { split };
