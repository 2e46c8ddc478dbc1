import assert from 'node:assert';

export function assertClosed(file) {
  try {
    assert.equal(file.state, 'closed', 'the file is still open');
  } catch (error) {
    console.error(`${error.message}: look for a missing close()`);
  }
}
