# The index holds the broken file as two sides of a conflict and no merged entry, and the index is what is verified.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then
  echo '"""Prices."""' > shop/prices.py; git add -A
else
  echo '"""Prices."""' > shop/prices.py; git add -A
  good=$(git rev-parse HEAD:shop/__init__.py); sed -i 's#price / 2#price / 3#' shop/__init__.py; bad=$(git hash-object -w shop/__init__.py)
  printf '0 0000000000000000000000000000000000000000\tshop/__init__.py\n100644 %s 1\tshop/__init__.py\n100644 %s 2\tshop/__init__.py\n100644 %s 3\tshop/__init__.py\n' "$good" "$good" "$bad" | git update-index --index-info
fi
clean gate verify --staged --base "$BASE" --profile code_default --stage ci --quiet
