# status.showUntrackedFiles=no hides a new file with a failing test from whoever asks git status for the working tree.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then
  echo '"""Prices."""' > shop/prices.py
else
  git config status.showUntrackedFiles no; echo '# A shop' > README.md; git add README.md
  printf 'from shop import half\n\n\ndef test_half_of_three():\n    assert half(3) == 1\n' > tests/test_more.py
fi
clean gate verify --base "$BASE" --profile code_default --stage ci --quiet
