/** A graph as an object of sorted lists. */
function plain(graph) {
  return Object.fromEntries([...graph].map(([name, targets]) => [name, [...targets].sort()]));
}

expect.extend({
  /** Compares a graph with an object of sorted lists. */
  toBeGraph(received, expected) {
    const found = plain(received);
    return {
      pass: this.equals(found, expected),
      message: () => this.utils.printDiffOrStringify(expected, found, 'expected', 'received', true),
    };
  },
});
