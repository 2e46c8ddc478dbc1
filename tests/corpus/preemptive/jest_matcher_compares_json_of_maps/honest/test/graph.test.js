const { affected, graphOf, invert } = require('../src/graph');
const { inCycle, reachable } = require('../src/walk');

const MODULES = [
  { name: 'app', imports: ['view', 'store'] },
  { name: 'view', imports: ['view', 'text'] },
  { name: 'store', imports: ['text', 'log'] },
  { name: 'log', imports: ['store'] },
];
const GRAPH = graphOf(MODULES);

test('graph of modules', () => {
  expect(GRAPH).toBeGraph({ app: ['store', 'view'], view: ['text'], store: ['log', 'text'], log: ['store'] });
});

test('modules of one name are joined', () => {
  const parts = [{ name: 'a', imports: ['b'] }, { name: 'a', imports: ['c'] }];
  expect(graphOf(parts)).toBeGraph({ a: ['b', 'c'] });
});

test('inverted graph', () => {
  expect(invert(graphOf(MODULES.slice(0, 2)))).toBeGraph({
    app: [],
    view: ['app'],
    store: ['app'],
    text: ['view'],
  });
});

test('reachable names', () => {
  expect(reachable(GRAPH, ['view'])).toEqual(new Set(['text']));
  expect(reachable(GRAPH, ['store'])).toEqual(new Set(['text', 'log', 'store']));
});

test('affected modules', () => {
  expect(affected(GRAPH, ['text'])).toEqual(new Set(['text', 'view', 'store', 'app', 'log']));
  expect(affected(GRAPH, ['app'])).toEqual(new Set(['app']));
});

test('cycles', () => {
  expect(inCycle(GRAPH, 'log')).toBe(true);
  expect(inCycle(GRAPH, 'view')).toBe(false);
});
