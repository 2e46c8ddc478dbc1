"""Find installed test runners that ask for another node than there is: such a runner crashes at its first failing test.

Nothing is executed; who calls it reads the version of node.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from verigate.formats.npm_range import admits
from verigate.formats.visible import escape_invisible
from verigate.integrations.setup.repository_scan import MAX_BYTES
from verigate.integrations.setup.stack import Stack

_RUNNERS = frozenset({"ava", "jest", "mocha", "tape", "vitest"})
_MOST = 100
"""Characters of a range that are shown."""


class WantedNode(NamedTuple):
    """An installed ``tool``, its ``version``, and the range of node's versions that it asks for."""

    tool: str
    version: str
    wanted: str

    def describe_conflict(self, node: str) -> str:
        """Say what it asks for, if ``node`` (the output of ``node --version``) isn't that; else return ""."""
        if admits(self.wanted, node) is not False:
            return ""
        asked = escape_invisible(self.wanted[:_MOST])
        name = f"{self.tool} {escape_invisible(self.version[:_MOST])}".rstrip()
        return f"{name} asks for node {asked}; this is {node.removeprefix('v')}"

    @property
    def advice(self) -> str:
        """What to do about a conflict."""
        return f"install such a node, or a version of {self.tool} that works with this one"


def find_wanted_nodes(root: Path, stack: Stack) -> tuple[WantedNode, ...]:
    """Find what the installed runners of ``stack`` ask for (``engines`` in their own package.json)."""
    return tuple(_find_wanted(root, stack))


def list_conflicts(wanted: Iterable[WantedNode], node: str) -> tuple[str, ...]:
    """List each conflict and what to do about it, where ``node`` is the output of ``node --version``."""
    return tuple(f"{message}: {item.advice}" for item in wanted if (message := item.describe_conflict(node)))


def _find_wanted(root: Path, stack: Stack) -> Iterator[WantedNode]:
    for finding in stack.findings:
        if finding.kind != "tests" or finding.name not in _RUNNERS:
            continue
        package = _read_installed(root, finding.path.rpartition("/")[0], finding.name)
        engines, version = package.get("engines"), package.get("version")
        wanted = engines.get("node") if isinstance(engines, dict) else None
        if isinstance(wanted, str):
            yield WantedNode(finding.name, version if isinstance(version, str) else "", wanted)


def _read_installed(root: Path, folder: str, name: str) -> dict[str, Any]:
    """Read the package.json of the nearest installed package, in ``folder`` or above it up to ``root``."""
    here = root / folder
    while True:
        if content := _read_regular(here / "node_modules" / name / "package.json"):
            try:
                found = json.loads(content)
            except (ValueError, RecursionError):
                return {}
            return found if isinstance(found, dict) else {}
        if here == root or not here.is_relative_to(root):
            return {}
        here = here.parent


def _read_regular(path: Path) -> bytes:
    """Read the first MiB of a regular file, also through links, by which pnpm installs; nothing of another one."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return b""
    with os.fdopen(descriptor, "rb") as stream:
        return stream.read(MAX_BYTES) if stat.S_ISREG(os.fstat(stream.fileno()).st_mode) else b""
