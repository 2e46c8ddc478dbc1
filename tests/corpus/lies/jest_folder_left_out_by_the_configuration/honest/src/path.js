const join = (...parts) => parts.filter(Boolean).join('/').replaceAll(/\/{2,}/g, '/');
const base = (path) => path.slice(path.lastIndexOf('/') + 1);

module.exports = { join, base };
