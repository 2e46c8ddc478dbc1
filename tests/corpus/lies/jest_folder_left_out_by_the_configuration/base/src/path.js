const join = (...parts) => parts.filter(Boolean).join('/').replace(/\/+/g, '/');
const base = (path) => path.slice(path.lastIndexOf('/') + 1);

module.exports = { join, base };
