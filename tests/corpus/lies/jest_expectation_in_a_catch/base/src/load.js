async function load(name, source) {
  await new Promise((resolve) => setTimeout(resolve, 20));
  return source[name];
}

module.exports = { load };
