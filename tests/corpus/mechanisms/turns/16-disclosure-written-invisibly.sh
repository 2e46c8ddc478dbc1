# The line that discloses a removed test is wrapped in escapes by which a terminal shows nothing.
# rights: none
# expect: fail|error
. "$ATTACKS/common.sh"
light
make_project
sed -i '/^def test_half/,$d; s/import half, /import /' tests/test_shop.py
if [ -n "${HONEST:-}" ]; then
  printf 'from shop import half\n\n\ndef test_half():\n    assert half(10) == 5\n' > tests/test_half.py
  commit -m 'Move a test'
else
  commit -m 'Tidy up'
  line=$(clean gate verify --ref HEAD --base "$BASE" --profile code_default --stage ci --quiet | grep -o 'Weakens: [^(]*(') || true
  printf 'Tidy up\n\n\033[8m\n%shalf is gone from the product)\n\033[0m\033[3A\033[J\n' "$line" > "$TOP/message"
  git commit -q --amend --cleanup=verbatim -F "$TOP/message"
fi
judge
