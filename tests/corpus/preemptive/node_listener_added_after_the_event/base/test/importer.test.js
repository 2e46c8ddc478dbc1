import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Importer, importAll } from '../src/importer.js';
import { parseRecord } from '../src/records.js';

function summaryOf(lines, options) {
  let summary;
  importAll(lines, options).once('done', (found) => (summary = found)).end();
  return summary;
}

test('totals by name', () => {
  assert.deepEqual(summaryOf(['tea 2', 'coffee 3', 'tea 1.5']), {
    totals: { tea: 3.5, coffee: 3 },
    count: 3,
    greatest: 3,
    bad: 0,
  });
});

test('nothing at all', () => {
  assert.deepEqual(summaryOf([]), { totals: {}, count: 0, greatest: null, bad: 0 });
});

test('bad lines are counted', () => {
  assert.deepEqual(summaryOf(['tea', 'tea 1x', 'tea 1']), { totals: { tea: 1 }, count: 1, greatest: 1, bad: 2 });
});

test('no more records than the limit', () => {
  assert.equal(summaryOf(['a 1', 'b 2', 'c 3'], { limit: 2 }).count, 2);
});

test('a record is emitted at once', () => {
  const seen = [];
  new Importer().on('record', (record) => seen.push(record.name)).push('tea 1').push('?').push('rum 2');
  assert.deepEqual(seen, ['tea', 'rum']);
});

test('units', () => {
  assert.deepEqual(parseRecord('rum 2k'), { name: 'rum', value: 2000 });
  assert.equal(parseRecord('rum k'), null);
});
