import assert from 'node:assert';
import { test } from 'node:test';
import { withFile } from '../src/files.js';
import { assertClosed } from './check.js';

class File {
  open() { this.state = 'open'; }
  close() { this.state = 'closed'; }
}

test('returns what the work returns', () => {
  assert.equal(withFile(new File(), () => 5), 5);
});

test('closes after an error', () => {
  const file = new File();
  assert.throws(() => withFile(file, () => { throw new Error('x'); }), /x/);
  assertClosed(file);
});
