function tags(text) {
  return text.match(/#[a-z]+/gi) ?? [];
}

module.exports = { tags };
