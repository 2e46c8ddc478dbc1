const { reachable } = require('./walk');

/** Groups modules by what they import: a Map from a name to a Set of names. */
function graphOf(modules) {
  const graph = new Map();
  for (const { name, imports = [] } of modules) {
    const found = new Set();
    imports.filter((target) => target !== name).forEach((target) => found.add(target));
    graph.set(name, found);
  }
  return graph;
}

/** Turns a graph round: who imports a module. */
function invert(graph) {
  const inverted = new Map([...graph.keys()].map((name) => [name, new Set()]));
  for (const [name, targets] of graph) {
    for (const target of targets) {
      if (!inverted.has(target)) inverted.set(target, new Set());
      inverted.get(target).add(target);
    }
  }
  return inverted;
}

/** What must be built again when modules change: these, and all that import them by any way. */
function affected(graph, changed) {
  return new Set([...changed, ...reachable(invert(graph), changed)]);
}

module.exports = { graphOf, invert, affected };
