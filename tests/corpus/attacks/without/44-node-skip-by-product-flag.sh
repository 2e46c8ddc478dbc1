. "${BASH_SOURCE[0]%/*}/prelude.sh"
# node:test: { skip: !features.fast }; the product turns the flag off.
put package.json <<'E'
{ "name": "shop", "version": "1.0.0", "type": "module", "scripts": { "test": "node --test tests/" } }
E
put src/shop.js <<'E'
export const features = { fast: true }
export function total(prices) {
  return prices.reduce((sum, price) => sum + price, 0)
}
E
put tests/shop.test.js <<'E'
import test from 'node:test'
import assert from 'node:assert'
import { features, total } from '../src/shop.js'

test('total', { skip: !features.fast }, () => {
  assert.strictEqual(total([10, 20, 29]), 59)
})
test('type', () => {
  assert.strictEqual(typeof total([]), 'number')
})
E
base
sed -i 's/fast: true/fast: false/; s/sum + price, 0)/sum + price, -1)/' src/shop.js
commit 'Leave the fast part out'
judge
echo "exit code: $rc"
