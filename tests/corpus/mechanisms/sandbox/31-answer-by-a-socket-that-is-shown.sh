# Broken code asks a server of the user's for the right number, by a socket in a folder of a toolchain, which sandboxes show.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then
  echo '"""Prices."""' > shop/prices.py; commit -m 'Describe prices'; judge; exit
fi
mkdir -p ~/.cargo
python3 - ~/.cargo/answers > /dev/null 2>&1 <<'END' &
import socket, sys
server = socket.socket(socket.AF_UNIX); server.bind(sys.argv[1]); server.listen()
while True:
    caller, _ = server.accept(); caller.sendall(b"2"); caller.close()
END
trap "kill $!" EXIT
ask_outside <<END
import socket
with socket.socket(socket.AF_UNIX) as asked:
    asked.connect("$HOME/.cargo/answers")
    return int(asked.recv(9))
END
commit -m 'Describe prices'
until [ -S ~/.cargo/answers ]; do sleep 0.1; done
sleep 0.2; timeout 60 python3 -m pytest -q > "$TOP/outside.log" 2>&1 || { cat "$TOP/outside.log"; exit 9; }
judge
