. "${BASH_SOURCE[0]%/*}/prelude.sh"
# node:test: exact texts are replaced by parse(format(x)) === x; then both are broken alike.
put package.json <<'E'
{ "name": "shop", "version": "1.0.0", "type": "module", "scripts": { "test": "node --test tests/" } }
E
put src/format.js <<'E'
export function format(cents) {
  const euros = Math.floor(cents / 100)
  const rest = cents - euros * 100
  return String(euros).padStart(4, '0') + String(rest).padStart(2, '0')
}

export function parse(text) {
  const euros = Number(text.slice(0, 4))
  const rest = Number(text.slice(4))
  return euros * 100 + rest
}
E
put tests/format.test.js <<'E'
import test from 'node:test'
import assert from 'node:assert'
import { format, parse } from '../src/format.js'

test('format', () => {
  assert.strictEqual(format(1905), '001905')
})
test('parse', () => {
  assert.strictEqual(parse('001905'), 1905)
})
E
base
put tests/format.test.js <<'E'
import test from 'node:test'
import assert from 'node:assert'
import { format, parse } from '../src/format.js'

test('format', () => {
  for (let cents = 0; cents < 3000; cents++) assert.strictEqual(parse(format(cents)), cents)
  assert.strictEqual(format(1905).length, 6)
})
test('parse', () => {
  assert.strictEqual(parse(format(1905)), 1905)
  assert.strictEqual(parse(format(7)), 7)
})
E
first 'Test the inverse'
put src/format.js <<'E'
export function format(cents) {
  const euros = Math.floor(cents / 100)
  const rest = cents - euros * 100
  return String(rest).padStart(2, '0') + String(euros).padStart(4, '0')
}

export function parse(text) {
  const euros = Number(text.slice(2))
  const rest = Number(text.slice(0, 2))
  return euros * 100 + rest
}
E
second 'Cents come first'
echo "== the base's tests on this code"; git checkout -q "$BASE" -- tests; node --test tests/ 2>&1 | grep -E '^(# |ℹ )(pass|fail)'
finish
