function create(name, options = {}) {
  return { name, role: options.admin ? 'admin' : 'user', active: true };
}

module.exports = { create };
