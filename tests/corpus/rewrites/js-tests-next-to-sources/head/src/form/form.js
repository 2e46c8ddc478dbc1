/** Return the first complaint of each field that has one. */
function validate(values, rules) {
  const errors = {}
  for (const [field, checks] of Object.entries(rules)) {
    for (const check of checks) {
      const complaint = check(values[field])
      if (complaint) {
        errors[field] = complaint
        break
      }
    }
  }
  return errors
}

module.exports = { validate }
