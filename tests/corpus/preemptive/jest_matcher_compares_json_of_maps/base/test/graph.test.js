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
  expect(GRAPH).toEqual(
    new Map([
      ['app', new Set(['view', 'store'])],
      ['view', new Set(['text'])],
      ['store', new Set(['text', 'log'])],
      ['log', new Set(['store'])],
    ]),
  );
});

test('modules of one name are joined', () => {
  const parts = [{ name: 'a', imports: ['b'] }, { name: 'a', imports: ['c'] }];
  expect(graphOf(parts)).toEqual(new Map([['a', new Set(['b', 'c'])]]));
});

test('inverted graph', () => {
  expect(invert(graphOf(MODULES.slice(0, 2)))).toEqual(
    new Map([
      ['app', new Set()],
      ['view', new Set(['app'])],
      ['store', new Set(['app'])],
      ['text', new Set(['view'])],
    ]),
  );
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
