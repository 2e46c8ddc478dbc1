function gallery(images) {
  return images.map(({ file, alt = '' }) => `<img src="${file}" alt="${alt}">`).join('\n');
}

module.exports = { gallery };
