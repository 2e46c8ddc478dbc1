"""``gate`` for a server that calls it: it ends when the server does, whatever ends that.

``python -c "from verigate.cli.bound import main; main()" PARENT ARGUMENT...``, where PARENT is the server's process id.
"""

from __future__ import annotations

import os
import signal
import sys

from verigate.execution.supervise import end_with_parent


def main() -> None:
    """Run ``gate`` with the arguments after the first."""
    parent, *arguments = sys.argv[1:]
    end_with_parent(signal.SIGTERM)
    if os.getppid() != int(parent):
        sys.exit(130)
    from verigate.cli import main as gate

    gate(arguments)
