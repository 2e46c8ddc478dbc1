# The line that discloses a removed test stands in a commit without content of an unrelated history that a merge takes in without its files.
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
  side=$(printf 'Import\n\n%shalf is gone from the product)\n' "$line" | git commit-tree "$(git hash-object -t tree -w /dev/null)")
  git merge -q -s ours --allow-unrelated-histories -m 'Merge the import' "$side"
fi
judge
