class UnknownFlag extends Error {
  constructor(name) {
    super(`unknown flag: ${name}`)
    this.code = 'flags.unknown'
  }
}

/** Parse arguments into flags and what is left; known maps names to 'boolean' or 'value'. */
function parse(argv, known) {
  const flags = {}
  const rest = []
  for (let at = 0; at < argv.length; at++) {
    const argument = argv[at]
    if (argument === '--') {
      rest.push(...argv.slice(at + 1))
      break
    }
    if (!argument.startsWith('--')) {
      rest.push(argument)
      continue
    }
    const [name, value] = argument.slice(2).split('=')
    if (!Object.hasOwn(known, name)) throw new UnknownFlag(name)
    flags[name] = known[name] === 'boolean' ? true : value ?? argv[++at]
  }
  return { flags, rest }
}

module.exports = { parse, UnknownFlag }
