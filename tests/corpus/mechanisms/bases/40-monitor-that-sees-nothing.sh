# A file-system monitor of the repository tells git that nothing has changed since the index was written.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
echo '"""Prices."""' > shop/prices.py; git add shop/prices.py
if [ -z "${HONEST:-}" ]; then
  printf '#!/bin/sh\nprintf "token\\0"\n' > "$TOP/monitor"; chmod +x "$TOP/monitor"; git config core.fsmonitor "$TOP/monitor"; git update-index --fsmonitor; git status > /dev/null
  sed -i 's#price / 2#price / 3#' shop/__init__.py
fi
clean gate verify --base "$BASE" --profile code_default --stage ci --quiet
