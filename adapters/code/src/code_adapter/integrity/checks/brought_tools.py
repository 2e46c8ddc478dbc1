"""Find tools that the repository itself provides: programs that run, check or compile instead of the installed ones.

Sources: npm's reference on ``script-shell``, ``node-options`` and ``overrides``; the Cargo book on ``runner``,
``rustc`` and its wrappers; rustup's on ``path`` of a toolchain; uv's on sources of dependencies.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from code_adapter.integrity.changeset import text
from code_adapter.integrity.finding import IntegrityFinding
from code_adapter.integrity.tools.documents import Unreadable, load_toml
from code_adapter.integrity.tools.options import flatten

if TYPE_CHECKING:
    from code_adapter.integrity.changeset import ChangeSet

_NPM = re.compile(r"^[ \t]*(script-shell|node-options|shell)[ \t]*=[ \t]*(\S[^\n]*)", re.MULTILINE)
_JUDGES = re.compile(
    r"(?:pytest|pluggy|coverage|ruff|mypy|flake8|pylint|jest|vitest|mocha|eslint|typescript|tsx|chai|c8|nyc|@jest/|@vitest/|"
    r"@eslint/|eslint-|pytest-)"
)
_LOCAL = re.compile(r"(?:file|link|portal|patch):|\.{0,2}/|git\+file:")
_CARGO = re.compile(r"(?:target\..*|build|host\..*)\.?(?:runner|rustc|rustc-wrapper|rustc-workspace-wrapper|rustdoc)$")
_DEPENDENCIES = ("dependencies", "devDependencies", "overrides", "resolutions", "optionalDependencies")


def find_brought_tools(changes: ChangeSet) -> Iterator[IntegrityFinding]:
    """Find tools that the subject provides and the base didn't."""
    for _, before, after in changes.sides():
        if after is None:
            continue
        known = dict(_brought(after.path, text(before)))
        for name, value in _brought(after.path, text(after)):
            if known.get(name) != value:
                message = f"{name} = {value[:120]} takes the place of the tool that is installed"
                yield IntegrityFinding("checks_shadowed", after.path, None, message, "weakening", "tool-brought")


def _brought(path: str, source: str) -> Iterator[tuple[str, str]]:
    """Setting and value of each."""
    name = PurePosixPath(path).name
    if name == ".npmrc":
        yield from ((match[1], match[2].strip()) for match in _NPM.finditer(source))
    elif name == "package.json":
        yield from _packages(_json(source))
    elif path.endswith((".cargo/config.toml", ".cargo/config")):
        options = _toml(source).items()
        yield from ((key, str(value)) for key, value in options if _CARGO.fullmatch(key))
    elif name in {"rust-toolchain.toml", "rust-toolchain"}:
        yield from ((key, str(value)) for key, value in _toml(source).items() if key == "toolchain.path")
    elif name in {"pyproject.toml", "uv.toml"}:
        for key, value in _toml(source).items():
            found = re.fullmatch(r"(?:tool\.uv\.)?sources\.([\w.-]+)\.(?:path|workspace|\w*url)", key)
            if found and _JUDGES.match(found[1]):
                yield key, str(value)


def _packages(document: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for part in _DEPENDENCIES:
        table = document.get(part)
        for key, value in flatten(table).items() if isinstance(table, dict) else ():
            if (
                isinstance(value, str)
                and _JUDGES.match(key)
                and _LOCAL.match(value)
                and not value.startswith("workspace:")
            ):
                yield f"{part}.{key}", value


def _json(source: str) -> Mapping[str, Any]:
    try:
        document = json.loads(source or "{}")
    except (ValueError, RecursionError):
        return {}
    return document if isinstance(document, dict) else {}


def _toml(source: str) -> Mapping[str, Any]:
    try:
        document = load_toml(source)
    except Unreadable:
        return {}
    return flatten(document) if isinstance(document, dict) else {}
