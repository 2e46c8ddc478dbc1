# A test takes descriptors from the processes above it (pidfd_getfd), to write to what the adapter has open.
# rights: none
# expect: fail|error
# because: test_reach
. "$ATTACKS/common.sh"
make_project
reach <<'PY'
import ctypes
import os
from pathlib import Path


def parents():
    """The processes above the test's own."""
    process = os.getppid()
    while process > 0:
        yield process
        try:
            process = int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            return


def reached():
    """A descriptor of a process above is taken."""
    libc = ctypes.CDLL(None, use_errno=True)
    for process in parents():
        handle = libc.syscall(434, process, 0)
        if handle >= 0 and any(libc.syscall(438, handle, number, 0) >= 0 for number in range(64)):
            return True
    return False
PY
works_outside
commit -m 'Test more'
judge
