# A link to a folder of the user's has the name of a run's private folder that was left over, so that the next run's tidying writes or removes there; the folder holds the good form of the code.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then
  echo '"""Prices."""' > shop/prices.py
else
  mkdir -p "$TOP/mine"; cp -r . "$TOP/mine/work-0"; sed -i 's#price / 2#price / 3#' shop/__init__.py
  for n in 0 1 2 3; do ln -s "$TOP/mine" "$TMPDIR/verigate-run-000000000000000$n"; done
fi
commit -m 'Describe prices'
code=0; judge || code=$?
if [ -z "${HONEST:-}" ] && [ ! -d "$TOP/mine/work-0" ]; then echo 'the folder of the user is gone'; exit 0; fi
exit $code
