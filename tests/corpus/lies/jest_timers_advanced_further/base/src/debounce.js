function debounce(work, delay = 300) {
  let timer;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...given), delay);
  };
}

module.exports = { debounce };
