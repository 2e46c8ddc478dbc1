"""Read a tool adapter from a .toml file and report all its faults.

Source: the first source document. A file with an ``[adapter]`` table is a tool adapter; any other TOML is ignored.
"""

from __future__ import annotations

import re
from typing import Any

from verigate.config.schemas import compile_schema
from verigate.errors import Fault
from verigate.formats.toml_text import TomlError, find_lines, loads
from verigate.tools.rules import find_faults

_MAY_BE_ONE = re.compile(rb"""(?m)^[ \t]*\[{0,2}[ \t]*["']?adapter["']?[ \t]*[.\]=]""")


def read_tool(content: bytes, file: str) -> tuple[dict[str, Any] | None, tuple[Fault, ...]]:
    """Return the document and its faults, in the order of the text; (None, ()) for TOML that is no tool adapter."""
    if not may_be_tool(content):
        return None, ()
    try:
        document = loads(content)
    except TomlError as problem:
        return None, (Fault(str(problem), file, line=problem.line),)
    if "adapter" not in document:
        return None, ()
    found: dict[tuple[str, str], Fault] = {}
    for fault in (*compile_schema("adapter").find_faults(document), *find_faults(document)):
        found.setdefault((fault.pointer or "", fault.message), fault)
    if not found:
        return document, ()
    places = find_lines(content.decode("utf-8"), [pointer for pointer, _ in found])
    placed = [fault._replace(file=file, line=places[pointer]) for (pointer, _), fault in found.items()]
    return document, tuple(sorted(placed, key=lambda fault: fault.line or 0))


def may_be_tool(content: bytes) -> bool:
    """Return whether a file is worth parsing: most TOML in a repository is no tool adapter."""
    return _MAY_BE_ONE.search(content) is not None
