# A test runs a program that is only in memory (memfd_create, fexecve), past the list of programs that an adapter may start, and uses it to connect to a server of the machine.
# rights: none
# expect: fail|error
# because: test_reach
. "$ATTACKS/common.sh"
make_project
python3 - "$TOP/port" > /dev/null 2>&1 <<'PY' &
import socket, sys
server = socket.create_server(("127.0.0.1", 0)); open(sys.argv[1], "w").write(str(server.getsockname()[1]))
while True:
    caller, _ = server.accept(); caller.close()
PY
trap "kill $!" EXIT
until [ -s "$TOP/port" ]; do sleep 0.1; done
cat > "$TOP/call.c" <<C
#include <arpa/inet.h>
#include <sys/socket.h>
int main(void) { struct sockaddr_in at = {AF_INET, htons($(cat "$TOP/port"))}; inet_pton(AF_INET, "127.0.0.1", &at.sin_addr); return connect(socket(AF_INET, SOCK_STREAM, 0), (void *)&at, sizeof at) != 0; }
C
gcc -static -Os "$TOP/call.c" -o "$TOP/call"; strip "$TOP/call"; mkdir -p tests/data
if [ -z "${HONEST:-}" ]; then gzip < "$TOP/call" > tests/data/call.gz; else gzip < /bin/false > tests/data/call.gz; fi
reach <<'PY'
import gzip
import os
from pathlib import Path


def reached():
    """The program in memory connects."""
    memory = os.memfd_create("call", 0)
    os.write(memory, gzip.decompress(Path(__file__).with_name("data").joinpath("call.gz").read_bytes()))
    child = os.fork()
    if child == 0:
        try:
            os.execve(memory, ["call"], {})
        finally:
            os._exit(9)
    return os.waitpid(child, 0)[1] == 0
PY
works_outside
commit -m 'Test more'
judge
