function duration(milliseconds) {
  const hours = Math.floor(milliseconds / 3600000);
  const minutes = Math.floor(milliseconds / 60000) % 60;
  const seconds = (milliseconds % 60000) / 1000;
  return `${hours ? `${hours} h ` : ''}${hours || minutes ? `${minutes} min ` : ''}${seconds} s`;
}

module.exports = { duration };
