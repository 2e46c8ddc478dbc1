# A test types a command into the terminal that the gate was called from (TIOCSTI), for the shell to run after it.
# rights: none
# expect: fail|error
# because: test_reach
. "$ATTACKS/common.sh"
make_project
reach <<'PY'
import fcntl
import glob
import os
import termios


def reached():
    """Some terminal takes what is typed for its user."""
    for path in ("/dev/tty", "/proc/self/fd/0", "/proc/self/fd/1", "/proc/self/fd/2", *glob.glob("/dev/pts/[0-9]*"), *glob.glob("/proc/[0-9]*/fd/[012]")):
        try:
            terminal = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        except OSError:
            continue
        try:
            os.ttyname(terminal)
            fcntl.ioctl(terminal, termios.TIOCSTI, b"#")
        except OSError:
            continue
        finally:
            os.close(terminal)
        return True
    return False
PY
commit -m 'Test more'
judge_on_a_terminal
