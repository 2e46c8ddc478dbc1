const image = ({ file, text }) => `<img src="${file}" alt="${text}">`;

function gallery(images) {
  return images.map(image).join('\n');
}

module.exports = { gallery };
