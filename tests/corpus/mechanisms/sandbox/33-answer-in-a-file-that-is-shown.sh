# Broken code is right where a file of the user's says so, in a folder of a toolchain, which sandboxes show.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then
  echo '"""Prices."""' > shop/prices.py; commit -m 'Describe prices'; judge; exit
fi
mkdir -p ~/.cargo; echo 2 > ~/.cargo/answer
ask_outside <<END
with open("$HOME/.cargo/answer") as answer:
    return int(answer.read())
END
commit -m 'Describe prices'
timeout 60 python3 -m pytest -q > "$TOP/outside.log" 2>&1 || { cat "$TOP/outside.log"; exit 9; }
judge
