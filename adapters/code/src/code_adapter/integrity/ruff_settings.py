"""Ruff's settings as they hold for a folder: those of the nearest file alone, on what that file extends.

Source: ruff's documentation, "Configuring Ruff", on hierarchical and extended configuration and on default rules.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from code_adapter.integrity.documents import Unreadable, load_toml
from code_adapter.integrity.settings import Options, flat

if TYPE_CHECKING:
    from code_adapter.integrity.changeset import ChangeSet

Read = Callable[[str], bytes | None]
"""The bytes of a file of one side, None where it isn't there."""

NAMES = (".ruff.toml", "ruff.toml", "pyproject.toml")
"""In the order in which one beside the other counts."""

_DEFAULT_RULES = ["E4", "E7", "E9", "F"]
_OF_LINT = ("select", "extend-select", "ignore", "extend-ignore", "per-file-ignores", "extend-per-file-ignores")
_DEPTH = 5


def ruff_settings(changes: ChangeSet, *, fresh: bool) -> Iterator[tuple[str, str, Options, Options]]:
    """Where the change touches them: folder, a changed file, what held in base and what holds now.

    Without a configuration ruff's defaults held, unless the project is ``fresh``: nothing was there to be checked.
    """
    defaults: Options = {} if fresh else {"lint.select": _DEFAULT_RULES}
    folders: dict[str, str] = {}
    for file in changes.files:
        for side in (file.before, file.after):
            if side is not None and side.path.endswith(".toml"):
                path = PurePosixPath(side.path)
                folders.setdefault(str(path.parent), side.path)
                if path.name not in NAMES:
                    # The root's file may extend this one.
                    folders.setdefault(".", side.path)
    for folder, changed in sorted(folders.items()):
        before, after = in_force(folder, changes.at_base), in_force(folder, changes.at_subject)
        if before != after:
            yield folder, changed, before or defaults, after or defaults


def in_force(folder: str, read: Read) -> Options:
    """The settings for files in ``folder``; empty where nothing configures ruff. What can't be read states nothing."""
    here = PurePosixPath(folder)
    for place in (here, *here.parents):
        for name in NAMES:
            path = str(place / name)
            options = _stated(path, read(path))
            if options is not None:
                return {"lint.select": _DEFAULT_RULES, **_extended(path, options, read, _DEPTH)}
    return {}


def _extended(path: str, options: Options, read: Read, depth: int) -> Options:
    target = options.get("extend")
    if not isinstance(target, str) or depth == 0:
        return options
    below = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
    inherited = _stated(below, read(below))
    return {**_extended(below, inherited, read, depth - 1), **options} if inherited is not None else options


def _stated(path: str, content: bytes | None) -> Options | None:
    if content is None:
        return None
    try:
        document: object = load_toml(content.decode("utf-8-sig", "replace"))
    except Unreadable:
        return {}
    if path.rpartition("/")[2] == "pyproject.toml":
        tool = document.get("tool") if isinstance(document, dict) else None
        document = tool.get("ruff") if isinstance(tool, dict) else None
    if not isinstance(document, dict):
        return None
    return {f"lint.{name}" if name.split(".")[0] in _OF_LINT else name: value for name, value in flat(document).items()}
