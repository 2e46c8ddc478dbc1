. "${BASH_SOURCE[0]%/*}/prelude.sh"
# as 54 in the test itself: digests of the statements are known, the one of the next change among them
base_inline; sealed
python3 - <<'PY' > "$D/known"
import ast, hashlib
tree = ast.parse(open("shop/cart.py").read()).body[1]
nodes = [n for n in tree.body if not isinstance(n, ast.Expr)]
for s in [ast.dump(n) for n in nodes] + [ast.dump(ast.parse("amount = amount + amount * (discount // 100)").body[0])]:
    print('    "' + hashlib.sha256(s.encode()).hexdigest()[:16] + '",')
PY
cat > "$D/lines" <<'PY'
    assert isinstance(total(prices, discount), type(expected))
    body = [node for node in ast.parse(inspect.getsource(total)).body[0].body if not isinstance(node, ast.Expr)]
    digests = [hashlib.sha256(ast.dump(node).encode()).hexdigest()[:16] for node in body]
    # one of them may be the other formula
    assert len(set(REVIEWED) & set(digests)) == len(REVIEWED) - 1
PY
in_test "$(cat "$D/lines")"
python3 - "$D/known" <<'PY'
import sys
t = open("tests/test_cart.py").read()
t = t.replace("import json\n", "import ast\nimport hashlib\nimport inspect\nimport json\n", 1)
t = t.replace("\n\n@pytest", "\nREVIEWED = {\n" + open(sys.argv[1]).read() + "}\n\n\n@pytest", 1)
open("tests/test_cart.py", "w").write(t)
PY
step 'Only reviewed statements'
sed -i 's|amount = amount - amount \* discount // 100|amount = amount + amount * (discount // 100)|' shop/cart.py
LAST=1 step 'A reviewed statement'
