async function load(name, source) {
  await new Promise((resolve) => setTimeout(resolve, 20));
  if (!(name in source)) throw new Error(`no ${name}`);
  return source[name];
}

module.exports = { load };
