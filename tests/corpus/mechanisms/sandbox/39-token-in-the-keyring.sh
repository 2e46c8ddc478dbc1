# A token is in the user's keyring of the kernel, as login programs and password managers leave it. A test searches for it and reads it.
# rights: user
# expect: fail|error
# because: test_reach
. "$ATTACKS/common.sh"
make_project
NAME=verigate-attempt-$$
if [ -z "${HONEST:-}" ]; then
  python3 - "$NAME" <<'END'
import ctypes, sys
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall(248, b"user", sys.argv[1].encode(), b"token-5f1d", ctypes.c_size_t(10), ctypes.c_long(-4))
END
fi
reach <<END
import ctypes


def reached():
    """The user's keyring has the token."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall(250, ctypes.c_long(8), ctypes.c_long(-4), ctypes.c_long(-2))
    key = libc.syscall(250, ctypes.c_long(10), ctypes.c_long(-4), b"user", b"$NAME", ctypes.c_long(0))
    held = ctypes.create_string_buffer(99)
    libc.syscall(250, ctypes.c_long(11), ctypes.c_long(key), held, ctypes.c_size_t(99))
    return held.value == b"token-" b"5f1d"
END
commit -m 'Test more'
works_outside
judge
