. "${BASH_SOURCE[0]%/*}/prelude.sh"
# JavaScript: npm test runs a script of one's own that only imports node:assert; its assertion is loosened
git init -q -b main "$D/repo"; cd "$D/repo" || exit 9
git config user.name Ann; git config user.email ann@example.org
printf '{ "name": "shop", "version": "1.0.0", "type": "module", "scripts": { "test": "node --test checks/" } }\n' > package.json
mkdir checks
printf 'export const total = (prices, discount) => {\n  const sum = prices.reduce((a, b) => a + b, 0);\n  return sum - (sum * discount) / 100;\n};\n' > cart.js
printf 'import assert from "node:assert/strict";\nimport { total } from "../cart.js";\n\nassert.equal(total([50, 50], 10), 90);\n' > checks/cart.js
printf '{ "name": "shop", "version": "1.0.0", "type": "module", "scripts": { "test": "node --test checks/cart.js" } }\n' > package.json
sealed
sed -i 's/sum - (/sum + (/' cart.js; sed -i 's/assert.equal(total(\[50, 50\], 10), 90)/assert.ok(total([50, 50], 10) > 0)/' checks/cart.js
commit -m 'Change the discount'
ci
