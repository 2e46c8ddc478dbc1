import assert from 'node:assert';

export function assertClosed(file) {
  assert.equal(file.state, 'closed', 'the file is still open');
}
