function gallery(images) {
  return images.map(({ file, text }) => `<img src="${file}" alt="${text}">`).join('\n');
}

module.exports = { gallery };
