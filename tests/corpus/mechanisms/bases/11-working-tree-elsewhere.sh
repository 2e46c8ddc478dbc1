# core.worktree in .git/config names a folder with a decent copy, so that the working tree that is verified isn't the one in which the person stands.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
echo '"""Prices."""' > shop/prices.py
if [ -z "${HONEST:-}" ]; then
  cp -r . "$TOP/copy"; rm -rf "$TOP/copy/.git"
  sed -i 's/price \/ 2/price \/ 3/' shop/__init__.py
  git config core.worktree "$TOP/copy"
fi
clean gate verify --base "$BASE" --profile code_default --stage ci --quiet
