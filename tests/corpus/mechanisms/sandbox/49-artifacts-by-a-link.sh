# The change makes .artifacts a link to a folder outside of the clone, so that the gate writes its files there; and a task's folder a link to the home.
# rights: none
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
mkdir -p "$TOP/outside/.artifacts"
if [ -n "${HONEST:-}" ]; then
  echo '"""Prices."""' > shop/prices.py
else
  git rm -q -r --cached .artifacts; rm -r .artifacts; ln -s "$TOP/outside/.artifacts" .artifacts
fi
commit -m 'Keep artifacts elsewhere'
code=0; judge || code=$?
if [ -n "$(find "$TOP/outside" -type f)" ]; then find "$TOP/outside" -type f; echo 'written outside'; exit 0; fi
exit $code
