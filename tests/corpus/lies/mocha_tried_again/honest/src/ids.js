let last = 0;

function next() {
  last += 1;
  return last;
}

module.exports = { next };
