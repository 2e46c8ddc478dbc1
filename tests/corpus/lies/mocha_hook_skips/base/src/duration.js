function duration(milliseconds) {
  const minutes = Math.floor(milliseconds / 60000);
  const seconds = (milliseconds % 60000) / 1000;
  return minutes ? `${minutes} min ${seconds} s` : `${seconds} s`;
}

module.exports = { duration };
