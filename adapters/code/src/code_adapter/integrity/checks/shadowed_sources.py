"""Find files that are imported in the place of a source next to them, which stays as the one that people read.

Sources: Python's import system takes a package before an extension module before a source file (``FileFinder``'s
order); Vite and Jest resolve an import without an ending to ``.js`` before ``.ts`` (``resolve.extensions``,
``moduleFileExtensions``).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from code_adapter.integrity.finding import IntegrityFinding, Weight

if TYPE_CHECKING:
    from code_adapter.integrity.changeset import ChangeSet

_COMPILED = re.compile(r"(?P<name>[^./]+)(?:\.(?:cpython|abi|pypy|cp)[\w-]*)?\.(?:so|pyd)$")
_SCRIPT = re.compile(r"(?P<name>[^/]+?)\.(?:[mc]?js|jsx)$")
_TYPED = (".ts", ".tsx", ".mts", ".cts")


def find_shadowed_sources(changes: ChangeSet) -> Iterator[IntegrityFinding]:
    """Find added files that an import finds before the source of the same name in the same folder."""
    # Not of their content: most of these are binary.
    for file in changes.files:
        if file.after is None or (file.before is not None and not file.renamed):
            continue
        source, weight = _find_source(file.path, changes.subject_paths)
        if source:
            message = f"an import finds this file in the place of {source}"
            yield IntegrityFinding("checks_shadowed", file.path, None, message, weight, "source-shadowed")


def _find_source(path: str, paths: Collection[str]) -> tuple[str, Weight]:
    """Return the source that the file hides, "" if it hides none, and what that weighs."""
    pure = PurePosixPath(path)
    candidates: list[str] = []
    weight: Weight = "tampering"
    if compiled := _COMPILED.fullmatch(pure.name):
        candidates = [f"{compiled['name']}.py"]
    elif pure.name == "__init__.py":
        candidates = [f"../{pure.parent.name}.py"] if pure.parent.name else []
    elif script := _SCRIPT.fullmatch(pure.name):
        candidates, weight = [f"{script['name']}{ending}" for ending in _TYPED], "weakening"
    for candidate in candidates:
        folder = pure.parent.parent if candidate.startswith("../") else pure.parent
        source = str(folder / candidate.removeprefix("../"))
        if source in paths:
            return source, weight
    return "", weight
