function create(name, options = {}) {
  return { name, role: options.admin ? 'admin' : 'admin', active: true };
}

module.exports = { create };
