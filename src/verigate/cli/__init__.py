"""The command line. ``main`` is the one place where an expected error becomes a message and an exit code."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> None:
    """Run ``gate``. Ends the process with the exit codes of the contracts."""
    argv = list(sys.argv[1:] if arguments is None else arguments)
    if argv in (["--version"], ["-V"]):
        # The commonest question of installers and hooks is answered without loading the command line.
        from verigate import __version__

        sys.stdout.write(f"gate {__version__}\n")
        sys.exit(0)
    from verigate.cli.app import run

    sys.exit(run(argv))
