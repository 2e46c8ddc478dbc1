function tags(text) {
  return text.match(/#[A-Z]+/g) ?? [];
}

module.exports = { tags };
