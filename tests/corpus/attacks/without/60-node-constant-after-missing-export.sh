. "${BASH_SOURCE[0]%/*}/prelude.sh"
# As 09, with the expected value as a constant in the text of the test file.
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
import { total, half } from '../src/shop.js'

const EXPECTED = 59

test('total', () => {
  assert.strictEqual(total([10, 20, 29]), EXPECTED)
})
test('half', () => {
  assert.strictEqual(half(10), 5)
})
E
base
sed -i 's/function half(/function halve(/; s/sum + price, 0)/sum + price, -1)/' src/shop.js
sed -i 's/half }/halve }/; s/half(10)/halve(10)/; s/EXPECTED = 59/EXPECTED = 58/' tests/shop.test.js
commit 'Call it halve'
judge
echo "exit code: $rc"
