# The broken file is marked as unchanged in the index, so that the working tree seems to have the good one.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
echo '"""Prices."""' > shop/prices.py
if [ -z "${HONEST:-}" ]; then
  git update-index --assume-unchanged shop/__init__.py; sed -i 's#price / 2#price / 3#' shop/__init__.py
fi
clean gate verify --base "$BASE" --profile code_default --stage ci --quiet
