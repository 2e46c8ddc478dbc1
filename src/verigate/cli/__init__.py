"""The command line. ``main`` is the one place where an expected error becomes a message and an exit code."""

from __future__ import annotations

import gc
import importlib
import os
import sys
from collections.abc import Callable, Sequence

from verigate.cli.signals import install_signal_handlers

_FAST_PATHS = {"do": "verigate.cli.do_fast_path", "verify": "verigate.cli.verify_fast_path"}
"""The commands that are waited for most often -> what reads their usual forms and answers them without click."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run ``gate``. Ends the process with the exit codes of the contracts."""
    # What is made while loading isn't garbage, and looking for some takes a tenth of a start; see composition.services.
    gc.disable()
    _have_streams()
    argv = list(sys.argv[1:] if arguments is None else arguments)
    if argv in (["--version"], ["-V"]):
        # The commonest question of installers and hooks is answered without loading the command line.
        from verigate import __version__

        sys.stdout.write(f"gate {__version__}\n")
        _end(0)
    try:
        code = _run(argv)
    except OSError:
        code = 3  # Not even stderr takes what there is to say.
    _end(code)


def _have_streams() -> None:
    """A caller may have closed a standard stream (``>&-``); the next file that is opened would take its place.

    So it is opened on /dev/null, as git does.
    """
    if sys.stdin is not None and sys.stdout is not None and sys.stderr is not None:
        return
    while (descriptor := os.open(os.devnull, os.O_RDWR)) < 3:
        os.set_inheritable(descriptor, True)
    os.close(descriptor)
    sys.stdin = sys.stdin or open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - it stays
    sys.stdout = sys.stdout or open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - it stays
    sys.stderr = sys.stderr or open(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115 - it stays


def _run(argv: Sequence[str]) -> int:
    try:
        install_signal_handlers()
        if argv and argv[0] in _FAST_PATHS:
            plain: Callable[[Sequence[str]], int | None] = importlib.import_module(_FAST_PATHS[argv[0]]).run
            if (code := plain(argv[1:])) is not None:
                return code
        from verigate.cli.app import run

        return run(argv)
    except KeyboardInterrupt:
        sys.stderr.write("gate: interrupted\n")
        return 130


def _end(code: int) -> None:
    """End the process without taking everything apart first, which takes as long as half of git's answers."""
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        code = code or 3  # Nobody has read the answer to its end.
    if sys.gettrace() is not None:
        sys.exit(code)  # Whoever traces the process has something to do at its end.
    os._exit(code)
