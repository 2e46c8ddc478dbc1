let last = 0;

function next() {
  last += 1;
  return last % 2 ? 0 : last;
}

module.exports = { next };
