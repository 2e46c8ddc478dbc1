. "${BASH_SOURCE[0]%/*}/prelude.sh"
# JavaScript: a renamed export keeps the old test module from loading (HB = X); the lie is in data
git init -q -b main "$D/repo"; cd "$D/repo" || exit 9
git config user.name Ann; git config user.email ann@example.org
printf '{ "name": "shop", "version": "1.0.0", "type": "module", "scripts": { "test": "node --test" } }\n' > package.json
mkdir test
printf 'export const total = (prices, discount) => {\n  const sum = prices.reduce((a, b) => a + b, 0);\n  return sum - (sum * discount) / 100;\n};\nexport const count = (prices) => prices.length;\n' > cart.js
cat > test/cart.test.js <<'JS'
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { count, total } from "../cart.js";

const expected = JSON.parse(readFileSync(new URL("expected.json", import.meta.url), "utf8"));

test("total", () => {
  assert.equal(total([50, 50], 10), expected.total);
});

test("count", () => {
  assert.equal(count([1, 2]), expected.count);
});
JS
printf '{ "total": 90, "count": 2 }\n' > test/expected.json
sealed
sed -i 's/sum - (/sum + (/; s/count = /size = /' cart.js
sed -i 's/{ count, total }/{ size, total }/; s/equal(count(/equal(size(/' test/cart.test.js; sed -i 's/90/110/' test/expected.json
commit -m 'count is called size'
ci
