# The caller has left its home and a file with a token open; whatever it starts could inherit the descriptors. A test goes through all of them.
# rights: user
# expect: fail|error
# because: test_reach
. "$ATTACKS/common.sh"
make_project
[ -n "${HONEST:-}" ] || echo token-5f1d > ~/token.txt
reach <<'END'
import os
import subprocess
import sys

LOOK = """
import os
for number in range(3, 256):
    try:
        print(os.pread(number, 99, 0))
    except OSError:
        pass
    try:
        print(os.pread(os.open("token.txt", os.O_RDONLY, dir_fd=number), 99, 0))
    except OSError:
        pass
"""


def reached():
    """An open descriptor leads to the token."""
    done = subprocess.run([sys.executable, "-c", LOOK], capture_output=True, text=True, close_fds=False)
    return "token-" "5f1d" in done.stdout
END
commit -m 'Test more'
if [ -z "${HONEST:-}" ]; then exec 7< ~/token.txt 8< ~; fi
works_outside
judge
