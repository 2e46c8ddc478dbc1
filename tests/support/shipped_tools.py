"""The tools that ship as TOML, and the programs that they name, on a PATH of their own."""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path

import npm_tools

from verigate.config.tool_definition import read_tool
from verigate.tools.document import to_tool
from verigate.tools.model import Tool, ToolCapability

TOOLS = Path(__file__).parents[2] / "adapters" / "tools"

FROM_PYPI = ("ruff", "bandit", "codespell", "detect-secrets", "hadolint", "pip-audit", "yamllint")
"""Programs of the development environment. The gate hides its own environment from tools, so they stand elsewhere."""


@cache
def shipped() -> dict[str, Tool]:
    """Alias -> tool."""
    tools = [to_tool(read_tool(path.read_bytes(), path.name)[0] or {}) for path in sorted(TOOLS.glob("*.toml"))]
    return {tool.alias: tool for tool in tools}


def capability(name: str) -> ToolCapability:
    """A shipped capability by its full name."""
    return shipped()[name.partition(":")[0]].capability(name)


def programs(folder: Path) -> str:
    """A PATH on which the programs of PyPI and npm stand beside those of the system; ``folder`` is made for it."""
    folder.mkdir()
    own = Path(sys.prefix) / "bin"
    for name in FROM_PYPI:
        program = folder / name
        program.write_text(f'#!/bin/sh\nexec "{own / name}" "$@"\n')
        program.chmod(0o755)
    modules = npm_tools.node_modules().parent, npm_tools.markdown_linter().parent
    return os.pathsep.join([str(folder), *(f"{place}/node_modules/.bin" for place in modules), "/usr/bin", "/bin"])
