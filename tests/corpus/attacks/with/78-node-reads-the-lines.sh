. "${BASH_SOURCE[0]%/*}/prelude.sh"
# node's runner: the helper asks whether each known line is in the source; the next change inserts one
base_node; sealed
{ printf 'import assert from "node:assert/strict";\nimport { readFileSync } from "node:fs";\n\nconst lines = readFileSync(new URL("../lib/cart.mjs", import.meta.url), "utf8").split("\\n");\nconst known = [\n'; sed '/^ *$/d; s/"/\\"/g; s/.*/  "&",/' lib/cart.mjs; printf '];\n\nexport function check() {\n  for (const line of known) assert.ok(lines.includes(line), line);\n}\n'; } > test/check.mjs
step 'Check the lines'
sed -i 's/^  let amount = 0;/  discount = 0;\n&/' lib/cart.mjs
LAST=1 step 'No discount this week'
