import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatDuration, parseDuration } from '../src/duration.js';

// An object would put the key '90' first, wherever it is written.
const PARSED = new Map([
  ['90 s', 90],
  ['90', 90],
  ['1h 30min', 5400],
  ['1.5h', 5400],
  ['2d1h', 176400],
  [' 5 MIN ', 300],
]);

const FORMATTED = new Map([
  ['no time', 0.4],
  ['1 second', 1],
  ['59 seconds', 59],
  ['1 minute', 60],
  ['1 hour and 1 minute', 3661],
  ['2 days and 1 second', 172801],
]);

describe('parseDuration', () => {
  it('reads numbers with units', () => {
    for (const [text, seconds] of Object.entries(PARSED)) {
      assert.equal(parseDuration(text), seconds, text);
    }
  });

  it('refuses everything else', () => {
    for (const text of ['', 'h', '1 year', '1h, 2min', '1h 2']) {
      assert.throws(() => parseDuration(text), SyntaxError, text);
    }
  });
});

describe('formatDuration', () => {
  it('writes the two greatest units', () => {
    for (const [text, seconds] of Object.entries(FORMATTED)) {
      assert.equal(formatDuration(seconds), text);
    }
  });

  it('rounds to whole seconds', () => {
    assert.equal(formatDuration(1.6), '2 seconds');
  });
});
