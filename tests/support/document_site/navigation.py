"""The navigation of mkdocs.yml with its folders written out."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

_HEADING = re.compile(r"^# (.+)$", re.MULTILINE)


def write_out(entries: Any, staged: Path) -> Any:
    """Return navigation ``entries`` with each path that ends with ``/`` replaced by the pages of that staged folder.

    The index of a folder comes first, and the others in the order of their names, each by its first heading.
    Raises FileNotFoundError for a folder that isn't there.
    """
    if isinstance(entries, list):
        return [write_out(entry, staged) for entry in entries]
    if isinstance(entries, dict):
        return {title: write_out(entry, staged) for title, entry in entries.items()}
    if not entries.endswith("/"):
        return entries
    names = sorted(path.name for path in (staged / entries).iterdir() if path.suffix == ".md")
    names.sort(key=lambda name: name != "index.md")
    return [
        entries + name if name == "index.md" else {_title(staged / entries / name): entries + name} for name in names
    ]


def _title(path: Path) -> str:
    found = _HEADING.search(path.read_text("utf-8"))
    return found[1].replace("`", "") if found else path.stem
