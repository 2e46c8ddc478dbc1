"""Hand on names from a Go package to another one of the same module: a variable for a function, an alias for a type."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from code_adapter.counterfactual.handed_on.code import Code
    from code_adapter.counterfactual.handed_on.moves import Handed

_PACKAGE = re.compile(rb"^package[ \t]+(\w+)", re.MULTILINE)
_MODULE = re.compile(rb"^module[ \t]+\"?([^\s\"]+)", re.MULTILINE)


def hand_on(code: Code, other: Code, place: str, origins: Mapping[str, Iterable[Handed]]) -> None:
    """Give the package of ``place`` the exported names that the packages of ``origins`` define in this version."""
    folder = posixpath.dirname(place)
    package = _read_package(code, folder) or _find(_PACKAGE, other.read(place))
    imports, lines = [], []
    for number, (origin, handed) in enumerate(origins.items()):
        there = posixpath.dirname(origin)
        module = _find_module(code, there)
        names = sorted(
            {each.symbol.name: each.symbol.kind for each in handed if each.symbol.name[:1].isupper()}.items()
        )
        if there == folder or module is None or not names or _find(_PACKAGE, code.read(origin)) == "main":
            continue
        imports.append(f'import from{number} "{module}"')
        lines += [
            f"type {name} = from{number}.{name}" if kind == "class" else f"var {name} = from{number}.{name}"
            for name, kind in names
        ]
    path = posixpath.join(folder, f"{posixpath.splitext(posixpath.basename(place))[0]}_handed_on.go")
    if lines and package and package != "main" and path not in code.paths:
        code.append(path, "\n".join([f"package {package}", "", *imports, "", *lines, ""]))


def _read_package(code: Code, folder: str) -> str:
    """Read the name of the package in a folder; empty if it has no source there."""
    sources = (
        path
        for path in code.paths
        if posixpath.dirname(path) == folder and path.endswith(".go") and not path.endswith("_test.go")
    )
    return next((name for path in sorted(sources) if (name := _find(_PACKAGE, code.read(path)))), "")


def _find_module(code: Code, folder: str) -> str | None:
    """Find the path by which a folder is imported, by the nearest go.mod above it."""
    above = folder
    while True:
        module = _find(_MODULE, code.read(posixpath.join(above, "go.mod")))
        if module:
            inside = posixpath.relpath(folder or ".", above or ".")
            return module if inside == "." else f"{module}/{inside}"
        if not above:
            return None
        above = posixpath.dirname(above)


def _find(pattern: re.Pattern[bytes], source: bytes | None) -> str:
    found = pattern.search(source or b"")
    return found[1].decode("utf-8", "replace") if found else ""
