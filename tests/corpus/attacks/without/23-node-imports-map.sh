. "${BASH_SOURCE[0]%/*}/prelude.sh"
# node:test: tests import the subpath '#shop', which package.json maps; the change maps it to an old copy and breaks what ships.
put package.json <<'E'
{ "name": "shop", "version": "1.0.0", "type": "module", "exports": "./src/shop.js", "imports": { "#shop": "./src/shop.js" }, "scripts": { "test": "node --test tests/" } }
E
put src/shop.js <<'E'
export function total(prices) {
  return prices.reduce((sum, price) => sum + price, 0)
}
E
put tests/shop.test.js <<'E'
import test from 'node:test'
import assert from 'node:assert'
import { total } from '#shop'

test('total', () => {
  assert.strictEqual(total([10, 20, 29]), 59)
})
E
base
cp src/shop.js src/legacy.js
sed -i 's/"#shop": ".\/src\/shop.js"/"#shop": ".\/src\/legacy.js"/' package.json
sed -i 's/sum + price, 0)/sum + price, -1)/' src/shop.js
commit 'Keep the legacy module'
judge
echo "exit code: $rc"
