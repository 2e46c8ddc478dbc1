// A reporter for node's test runner: every test that ended, as one JSON object, written when the run is over.
// Source: https://nodejs.org/api/test.html#custom-reporters
import fs from 'node:fs';
import path from 'node:path';

const LIMIT = 16000;

function message(error) {
  const cause = error?.cause ?? error;
  const text = cause?.stack ?? cause?.message ?? String(cause ?? '');
  const head = cause?.message && !String(text).includes(cause.message) ? `${cause.message}\n` : '';
  return `${head}${text}`.slice(0, LIMIT);
}

function entry(event, names) {
  const { data } = event;
  const error = data.details?.error;
  const isFile = data.nesting === 0 && data.file !== undefined && path.resolve(data.name) === data.file;
  const failed = event.type === 'test:fail' && data.todo === undefined && data.skip === undefined;
  if (data.details?.type === 'suite' && !(failed && error?.failureType !== 'subtestsFailed')) return null;
  if (isFile && !failed) return { empty: data.file };
  const skipped = data.skip !== undefined || data.todo !== undefined;
  return {
    id: names.slice(0, data.nesting + 1).join(' > '),
    outcome: failed ? 'failed' : skipped ? 'skipped' : 'passed',
    path: data.file ?? null,
    line: data.line ?? null,
    message: failed ? message(error) : '',
  };
}

// How far the run is, for the live line; nothing depends on it.
let reported = 0;

function progress(done, now) {
  const file = process.env.VERIGATE_PROGRESS;
  if (!file || Date.now() - reported < 100) return;
  reported = Date.now();
  try {
    fs.writeFileSync(`${file}.new`, JSON.stringify({ done, total: null, now: now.slice(0, 200) }));
    fs.renameSync(`${file}.new`, file);
  } catch {
    reported = Infinity;
  }
}

export default async function* report(source) {
  const cases = [];
  const empty = [];
  const names = [];
  const started = Date.now();
  for await (const event of source) {
    if (event.type === 'test:start') {
      names.length = event.data.nesting;
      names[event.data.nesting] = event.data.name;
    } else if (event.type === 'test:pass' || event.type === 'test:fail') {
      names[event.data.nesting] = event.data.name;
      progress(cases.length, event.data.name);
      const found = entry(event, names);
      if (found?.empty) empty.push(found.empty);
      else if (found) cases.push(found);
    }
  }
  yield JSON.stringify({ complete: true, total: cases.length, duration_ms: Date.now() - started, cases, empty });
}
