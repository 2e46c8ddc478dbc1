# The broken file has the size and the times that git noted for the good one, and git is told to look at nothing else.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
echo '"""Prices."""' > shop/prices.py
if [ -z "${HONEST:-}" ]; then
  git config core.trustctime false; git config core.checkStat minimal
  touch -d '2020-01-01 00:00:00' shop/__init__.py; git update-index --refresh -q || true; touch -r shop/__init__.py "$TOP/when"
  sed -i 's#price / 2#price / 3#' shop/__init__.py; touch -r "$TOP/when" shop/__init__.py
fi
clean gate verify --base "$BASE" --profile code_default --stage ci --quiet
