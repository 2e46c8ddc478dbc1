async function retry(work, attempts) {
  for (let attempt = 1; attempt < attempts; attempt += 1) {
    try {
      return await work();
    } catch {
      // once more
    }
  }
  throw new Error('gave up');
}

module.exports = { retry };
