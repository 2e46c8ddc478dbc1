# A linked worktree has settings of its own that leave a failing test out of the checkout and send its working tree elsewhere.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
git worktree add -q -b side "$TOP/side" HEAD; cd "$TOP/side"
if [ -n "${HONEST:-}" ]; then
  echo '"""Prices."""' > shop/prices.py
else
  git config extensions.worktreeConfig true; git config --worktree core.sparseCheckout true; git config --worktree core.sparseCheckoutCone false
  printf '/*\n!/tests/test_shop.py\n' > "$(git rev-parse --git-path info/sparse-checkout)"
  sed -i 's#price / 2#price / 3#' shop/__init__.py; git read-tree -mu HEAD || true
  printf 'def test_ok():\n    assert 1 + 1 == 2\n' > tests/test_more.py
fi
clean gate verify --base "$BASE" --profile code_default --stage ci --quiet
