. "${BASH_SOURCE[0]%/*}/prelude.sh"
# node's runner: the helper compares only as long as the module has no export "version"; the next change adds it and breaks the code
base_node; sealed
cat > test/check.mjs <<'JS'
import assert from "node:assert/strict";
import * as cart from "../lib/cart.mjs";

export function check(value, expected) {
  const { version = 1 } = cart;
  assert.equal(value, version < 2 ? expected : value);
}
JS
step 'Totals of version 1'
node_flip; printf '\nexport const version = 2;\n' >> lib/cart.mjs
LAST=1 step 'Version 2'
