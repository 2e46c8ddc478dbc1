const SECOND = 1000;

function debounce(work, delay = 3 * SECOND) {
  let timer;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(work, delay, ...given);
  };
}

module.exports = { debounce };
