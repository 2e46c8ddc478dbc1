"""Find TOML that is no tool adapter and looks like one: its table is called ``[adaptor]``."""

from __future__ import annotations

import re

from verigate.formats.near_names import find_near

_CAPABILITIES = re.compile(rb"(?m)^[ \t]*\[\[[ \t]*capabilit[a-z]*[ \t]*\]\]")
_TABLE = re.compile(rb"(?m)^[ \t]*\[[ \t]*([A-Za-z_-]{1,40})[ \t]*\]")


def find_misspelt_table(content: bytes) -> str | None:
    """Return the table that is probably a misspelt ``[adapter]``, in a file that declares capabilities; else None."""
    if not _CAPABILITIES.search(content):
        return None
    names = [found.group(1).decode("ascii") for found in _TABLE.finditer(content)]
    if any(name in {"adapter", "urn"} for name in names):
        return None
    return next((name for name in names if find_near(name.lower(), ["adapter"], 1)), None)


def explain_misspelt_table(file: str, name: str) -> str:
    """Return the warning for such a file."""
    return f"{file}: it has the table [{name}], and is no adapter: is [adapter] meant?"
