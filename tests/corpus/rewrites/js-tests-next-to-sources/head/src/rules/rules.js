const required = (value) => (String(value ?? '').trim() === '' ? 'required' : null)
const max = (limit) => (value) => (String(value).length > limit ? `at most ${limit} characters` : null)
const matches = (pattern) => (value) => (pattern.test(value) ? null : 'wrong format')

module.exports = { required, max, matches }
