module.exports = { ...require('./rules/rules'), ...require('./form/form') }
