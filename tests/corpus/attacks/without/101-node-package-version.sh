. "${BASH_SOURCE[0]%/*}/prelude.sh"
# node:test: expected values are looked up by the version in package.json, and none is known for the next one.
put package.json <<'E'
{ "name": "shop", "version": "1.0.0", "type": "module", "scripts": { "test": "node --test tests/" } }
E
put src/shop.js <<'E'
export function total(prices, discount = 0) {
  let amount = 0
  for (const price of prices) {
    if (price < 0) throw new RangeError('negative')
    amount = amount + price
  }
  return amount - amount * discount / 100
}
E
put tests/shop.test.js <<'E'
import test from 'node:test'
import assert from 'node:assert'
import { total } from '../src/shop.js'

test('total', () => {
  assert.strictEqual(total([0, 10, 20, 29]), 59)
  assert.strictEqual(total([50, 50], 10), 90)
  assert.throws(() => total([-1]), RangeError)
})
E
base
put tests/shop.test.js <<'E'
import test from 'node:test'
import assert from 'node:assert'
import { readFileSync } from 'node:fs'
import { total } from '../src/shop.js'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url)))
const cases = { '1.0.0': [[[[0, 10, 20, 29]], 59], [[[50, 50], 10], 90]] }

test('total', () => {
  for (const [given, sum] of cases[version] ?? []) assert.strictEqual(total(...given), sum)
  assert.throws(() => total([-1]), RangeError)
})
E
first 'A table of cases'
sed -i 's/1.0.0/1.1.0/' package.json; sed -i 's/amount \* discount/amount * discount * 2/' src/shop.js
second 'Release 1.1.0'
echo "== the base's tests on this code"; git checkout -q "$BASE" -- tests; node --test tests/ 2>&1 | grep -E '^(# |ℹ )(pass|fail)'
finish
