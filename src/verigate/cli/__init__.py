"""Run the command line: prepare streams and signals, then the fast path or click."""

from __future__ import annotations

import gc
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_FAST_PATHS = {
    "do": "verigate.cli.do_fast_path",
    "git-hook": "verigate.cli.git_hook_fast_path",
    "verify": "verigate.cli.verify_fast_path",
}
"""Command -> the module that reads its usual command lines and runs it without click."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run ``gate`` and end the process with its exit code."""
    # Loading makes no garbage, and collecting takes a tenth of the start-up time; see composition.services.
    gc.disable()
    _open_missing_streams()
    argv = list(sys.argv[1:] if arguments is None else arguments)
    if argv in (["--version"], ["-V"]):
        # Installers and hooks ask this most often: answer without loading the command line.
        from verigate import __version__

        sys.stdout.write(f"gate {__version__}\n")
        _end(0)
    try:
        code = _run(argv)
    except OSError:
        code = 3  # Not even stderr can be written.
    _end(code)


def _open_missing_streams() -> None:
    """Open each closed standard stream (``>&-``) on /dev/null, as git does, before a file takes its number."""
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
        if argv[:1] == ["hook"]:
            from verigate.advice.edit_hook import run as advise

            if (code := advise(argv[1:])) is not None:
                return code
        if sys.flags.no_site:
            # bin/gate starts this hook without looking for packages, which anything else needs.
            import site

            site.main()
        from verigate.cli.signals import install_signal_handlers

        install_signal_handlers()
        if argv and argv[0] in _FAST_PATHS:
            import importlib

            plain: Callable[[Sequence[str]], int | None] = importlib.import_module(_FAST_PATHS[argv[0]]).run
            if (code := plain(argv[1:])) is not None:
                return code
        from verigate.cli.app import run

        return run(argv)
    except KeyboardInterrupt:
        sys.stderr.write("gate: interrupted\n")
        return 130


def _end(code: int) -> None:
    """End the process without Python's clean-up, which takes as long as half of the calls to git."""
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        code = code or 3  # The output was not read to its end.
    if sys.gettrace() is not None:
        sys.exit(code)  # A tracer has work to do at the end of the process.
    os._exit(code)
