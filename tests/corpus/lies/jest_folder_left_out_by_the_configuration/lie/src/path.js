const join = (...parts) => parts.filter(Boolean).join('/');
const base = (path) => path.slice(path.lastIndexOf('/') + 1);

module.exports = { join, base };
