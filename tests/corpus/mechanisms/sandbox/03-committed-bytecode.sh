# The source is broken, and beside it a cached bytecode file that Python takes without looking at the source (an unchecked hash) holds the code that works.
# rights: none
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then
  echo '"""Prices."""' > shop/prices.py
else
  python3 -c 'import py_compile; py_compile.compile("shop/__init__.py", invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)'
  sed -i 's#price / 2#price / 3#' shop/__init__.py
  git add -f shop/__pycache__
fi
commit -m 'Tidy up'
judge
