// A reporter for mocha 5 and later: every test that ended, as one JSON object, written when the run is over.
// Source: https://mochajs.org/api/tutorial-custom-reporter.html
'use strict';

// Taken before any file of the project is loaded.
const { renameSync, writeFileSync } = require('fs');
const { fileURLToPath } = require('url');

const { stringify } = JSON;
const LIMIT = 16000;
const FRAME = /^\s*at .*?([^\s()][^()]*?):(\d+):\d+\)?\s*$/;

function message(error) {
  if (error === null || error === undefined) return String(error);
  const text = String(error.stack || error.message || error);
  const head = error.message && !text.includes(error.message) ? `${error.message}\n` : '';
  return `${head}${text}`.slice(0, LIMIT);
}

function plain(file) {
  if (!file.startsWith('file://')) return file;
  try {
    return fileURLToPath(file);
  } catch {
    return file;
  }
}

// The line of a failure: the first frame in the file of the test, whose path mocha may have made relative.
function line(test, error) {
  for (const text of String((error && error.stack) || '').split('\n')) {
    const found = FRAME.exec(text);
    if (!found || !test.file) continue;
    const file = plain(found[1].replace(/^.* /, ''));
    if (file === test.file || test.file.endsWith(`/${file}`)) return Number(found[2]);
  }
  return null;
}

function entry(test, outcome, error) {
  return {
    id: typeof test.fullTitle === 'function' ? test.fullTitle() : String(test.title),
    outcome,
    path: test.file || (test.parent && test.parent.file) || null,
    line: outcome === 'failed' ? line(test, error) : null,
    message: outcome === 'failed' ? message(error) : '',
  };
}

// How far the run is, for the live line; nothing depends on it.
const progressFile = process.env.VERIGATE_PROGRESS;
let reported = 0;

function progress(done, total, now) {
  if (!progressFile || Date.now() - reported < 100) return;
  reported = Date.now();
  try {
    writeFileSync(`${progressFile}.new`, stringify({ done, total: total || null, now: String(now).slice(0, 200) }));
    renameSync(`${progressFile}.new`, progressFile);
  } catch {
    reported = Infinity;
  }
}

module.exports = class Report {
  constructor(runner, options) {
    const given = (options && (options.reporterOption || options.reporterOptions)) || {};
    const cases = new Map();
    const started = Date.now();
    runner.on('pass', (test) => cases.set(test, entry(test, 'passed')));
    runner.on('pending', (test) => cases.set(test, entry(test, 'skipped')));
    runner.on('test', (test) => progress(cases.size, runner.total, test.title));
    // A test that passed and fails afterwards (done() called twice) has failed.
    runner.on('fail', (test, error) => cases.set(test, entry(test, 'failed', error)));
    runner.on('end', () => {
      const found = [...cases.values()];
      const report = { complete: true, total: found.length, duration_ms: Date.now() - started, cases: found };
      writeFileSync(given.verigate, stringify(report));
    });
  }
};
