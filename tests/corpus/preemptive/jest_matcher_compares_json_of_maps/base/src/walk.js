/** Names that can be reached from some, without those that nothing leads back to. */
function reachable(graph, starts) {
  const seen = new Set();
  const queue = [...starts];
  while (queue.length > 0) {
    for (const next of graph.get(queue.shift()) ?? []) {
      if (!seen.has(next)) {
        seen.add(next);
        queue.push(next);
      }
    }
  }
  return seen;
}

/** Whether a name can be reached from itself. */
function inCycle(graph, name) {
  return reachable(graph, [name]).has(name);
}

module.exports = { reachable, inCycle };
