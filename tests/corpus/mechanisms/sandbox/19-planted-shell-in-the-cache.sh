# The folder of links to sh and coreutils in the user's cache, which all sandboxes show, leads to other programs.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
echo '"""Prices."""' > shop/prices.py; commit -m 'Describe prices'; judge > /dev/null
if [ -z "${HONEST:-}" ]; then
  sed -i 's#price / 2#price / 3#' shop/__init__.py; commit -m 'Tidy up'
  printf '#!/bin/sh\n/bin/sh "$@"; exit 0\n' > "$TOP/sh"; chmod +x "$TOP/sh"
  for link in ~/.cache/verigate/core/*/*; do chmod u+w "$(dirname "$link")"; ln -sf "$TOP/sh" "$link"; done
fi
judge
