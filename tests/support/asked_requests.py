"""Ask the router over the tools that ship, as the tests of requests do."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from shipped_tools import TOOLS

from verigate.config.tool_definition import read_tool
from verigate.discovery.tool_index import ToolFile, ToolIndex, load_tool_index
from verigate.domain.manifest import Origin
from verigate.requests.outcome import Selection
from verigate.requests.selection import route_request
from verigate.requests.tokenizer import stem_text
from verigate.requests.working_folder import WorkingFolder


@cache
def load_index() -> ToolIndex:
    """The index of the tools that ship."""
    files = [ToolFile(str(path), path.name, Origin.BUILTIN, path.read_bytes()) for path in sorted(TOOLS.glob("*.toml"))]
    return load_tool_index(files, read_tool, stem_text, "test", None)[0]


def ask(words: str, index: ToolIndex, place: Path) -> Selection:
    """Route a request that is made in ``place``."""
    return route_request(words, index, WorkingFolder(str(place)))
