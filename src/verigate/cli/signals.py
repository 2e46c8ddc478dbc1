"""Handle signals that stop the gate: each acts like Ctrl-C, delayed while modules or types are being loaded."""

from __future__ import annotations

import signal
from types import FrameType

_LOADS = ("<frozen importlib._bootstrap>", "/msgspec/_utils.py", "/typing.py")
"""Ends of the file names on the stack while a module is imported or msgspec reads a type's annotations.

msgspec 0.21 crashes the process (SIGSEGV) if an exception is raised in Python that it calls for that.
"""

_AGAIN_S = 0.005
_MOST_DELAYS = 200
"""One second in all; what takes longer is interrupted."""


def install_signal_handlers() -> None:
    """Make SIGINT, SIGTERM and SIGHUP raise KeyboardInterrupt: private folders are removed, the exit code is 130."""
    delays = 0

    def interrupt(_number: int, frame: FrameType | None) -> None:
        nonlocal delays
        # ``gate hook`` uses the process's only timer itself.
        free = delays or signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
        if free and delays < _MOST_DELAYS and _is_loading(frame):
            delays += 1
            signal.signal(signal.SIGALRM, interrupt)
            signal.setitimer(signal.ITIMER_REAL, _AGAIN_S)
            return
        raise KeyboardInterrupt

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        # nohup(1) and a shell's background jobs start a program with a signal ignored: leave it so.
        if signal.getsignal(number) in {signal.SIG_DFL, signal.default_int_handler}:
            signal.signal(number, interrupt)


def _is_loading(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.endswith(_LOADS):
            return True
        frame = frame.f_back
    return False
