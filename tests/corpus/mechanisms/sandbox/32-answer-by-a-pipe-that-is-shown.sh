# Broken code asks by two named pipes in a folder of a toolchain: a pipe can be written to where its file system is read-only.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then
  echo '"""Prices."""' > shop/prices.py; commit -m 'Describe prices'; judge; exit
fi
mkdir -p ~/.cargo; mkfifo ~/.cargo/question ~/.cargo/answer
while read -r _ < ~/.cargo/question; do echo 2 > ~/.cargo/answer; done > /dev/null 2>&1 &
trap "kill $!" EXIT
ask_outside <<END
import os
asked = os.open("$HOME/.cargo/question", os.O_WRONLY | os.O_NONBLOCK)
os.write(asked, b"?\n")
os.close(asked)
with open("$HOME/.cargo/answer") as answer:
    return int(answer.read())
END
commit -m 'Describe prices'
sleep 0.5; timeout 60 python3 -m pytest -q > "$TOP/outside.log" 2>&1 || { cat "$TOP/outside.log"; exit 9; }
sleep 0.5; judge
