"""``gate mcp``: serve the gate's commands as MCP tools."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from verigate import __version__
from verigate.errors import UsageError

if TYPE_CHECKING:
    from verigate.integrations.mcp.gate_call import Heard
    from verigate.integrations.mcp.tool_answer import EndedCall

_LONGEST_QUESTION = 2000
_PROGRAM = "from verigate.cli.mcp_child import main; main()"


@click.command(name="mcp")
@click.option(
    "--root",
    type=click.Path(file_okay=False, exists=True, path_type=Path),
    default=".",
    help="The repository; the current folder by default.",
)
def command(root: Path) -> int:
    """Serve verify, plan, show, explain, list, adapters, prove and ask_person as Model Context Protocol tools on stdin
    and stdout, and tasks with their artifacts as resources.

    A coding agent's host starts this; see docs/mcp.md for how to register it. Needs the extra `mcp`.
    """
    try:
        from verigate.integrations.mcp.server import make_server, serve
    except ImportError as problem:
        from verigate.extras import lack_of

        lack = lack_of("mcp", [problem.name or "mcp"])
        raise UsageError(f"{lack.message} ({problem})", where="gate mcp", hint=lack.command) from problem
    from verigate.composition.mcp_evidence import open_evidence
    from verigate.config import schemas
    from verigate.integrations.mcp.tools import make_tools
    from verigate.reporting.escape import escape
    from verigate.reporting.mcp_text import render_tool_text

    if sys.stdin.isatty():
        click.echo("gate mcp: waiting for an MCP client on stdin; register it in a host, or press Ctrl-D", err=True)
    # Unlike a command, a server runs long enough to need the collector; see verigate.cli.main.
    gc.enable()
    gate = partial(_gate, root.resolve())
    tools = make_tools(schemas.bundle_schema("verdict"))
    show = partial(escape, limit=_LONGEST_QUESTION)
    serve(make_server(tools, gate, render_tool_text, show, open_evidence(root.resolve()), version=__version__))
    return 0


async def _gate(root: Path, words: Sequence[str], heard: Heard) -> EndedCall:
    """Run this same gate on the repository at ``root``."""
    from verigate.integrations.mcp.gate_call import call_gate

    # Without -I or -P a module in the current folder would take the place of one of Python's own.
    how = "-I" if sys.flags.isolated else "-P"
    launcher = (sys.executable, how, "-c", _PROGRAM, str(os.getpid()))
    return await call_gate((*launcher, *words), root, {**os.environ, "NO_COLOR": "1"}, heard)
