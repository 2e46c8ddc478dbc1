. "${BASH_SOURCE[0]%/*}/prelude.sh"
# node:test: the module lost an export which the test file imports (HB = X for the whole file); the golden file is edited.
put package.json <<'E'
{ "name": "shop", "version": "1.0.0", "type": "module", "scripts": { "test": "node --test tests/" } }
E
put src/shop.js <<'E'
export function total(prices) {
  return prices.reduce((sum, price) => sum + price, 0)
}
export function half(price) {
  return price / 2
}
E
put tests/shop.test.js <<'E'
import test from 'node:test'
import assert from 'node:assert'
import { readFileSync } from 'node:fs'
import { total, half } from '../src/shop.js'

const expected = JSON.parse(readFileSync(new URL('./expected.json', import.meta.url)))

test('total', () => {
  assert.strictEqual(total([10, 20, 29]), expected.total)
})
test('half', () => {
  assert.strictEqual(half(10), 5)
})
E
echo '{"total": 59}' > tests/expected.json
base
sed -i 's/function half(/function halve(/; s/sum + price, 0)/sum + price, -1)/' src/shop.js
sed -i 's/half }/halve }/; s/half(10)/halve(10)/' tests/shop.test.js
echo '{"total": 58}' > tests/expected.json
commit 'Call it halve'
judge
echo "exit code: $rc"
