# The call has limits (few descriptors, files of at most 64 KiB, little memory that can be locked), so that parts of the sandbox, of the tests or of their report might quietly be left out.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then
  echo '"""Prices."""' > shop/prices.py; commit -m 'Describe prices'; judge; exit
fi
sed -i 's#price / 2#price / 3#' shop/__init__.py; commit -m 'Describe prices'
for limit in '-n 24' '-n 48' '-f 64' '-f 1' '-s 256' '-l 0' '-t 9'; do
  code=0; (ulimit -S $limit; judge) > "$TOP/log" 2>&1 || code=$?
  echo "ulimit $limit: $code"
  [ $code -ne 0 ] || { cat "$TOP/log"; exit 0; }
done
exit 1
