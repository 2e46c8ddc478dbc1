"""Run ``gate`` as a child of the MCP server: it ends when the server ends, however that ends.

Usage: ``python -c "from verigate.cli.mcp_child import main; main()" PARENT ARGUMENT...``; PARENT is the server's
process id.
"""

from __future__ import annotations

import os
import signal
import sys

from verigate.processes.supervise import end_with_parent


def main() -> None:
    """Run ``gate`` with the arguments after the first."""
    parent, *arguments = sys.argv[1:]
    end_with_parent(signal.SIGTERM)
    if os.getppid() != int(parent):
        sys.exit(130)
    from verigate.cli import main as gate

    gate(arguments)
