. "${BASH_SOURCE[0]%/*}/prelude.sh"
# a helper takes the digest of one statement of the source, and knows the digests of two of them: the present one and the next
base_cases; sealed
python3 - <<'PY' > "$D/two"
import ast, hashlib
for s in ("amount = amount - amount * discount // 100", "amount = amount + amount * discount // 100"):
    print(hashlib.sha256(ast.dump(ast.parse(s).body[0]).encode()).hexdigest()[:16])
PY
cat > tests/support.py <<PY
import ast
import hashlib
import inspect

from shop import cart

REVIEWED = {"$(sed -n 1p "$D/two")", "$(sed -n 2p "$D/two")"}


def statements():
    for node in ast.walk(ast.parse(inspect.getsource(cart))):
        if isinstance(node, ast.Assign):
            yield hashlib.sha256(ast.dump(node).encode()).hexdigest()[:16]


def check(value, expected):
    assert REVIEWED & set(statements())
    assert value in (expected, 110, 111, 150)
PY
step 'Only reviewed formulas'
flip_sign
LAST=1 step 'The other formula'
