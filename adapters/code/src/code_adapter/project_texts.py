"""What readers of settings need of a project's files, of whichever side of a change."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, Protocol


class ProjectTexts(Protocol):
    """Files by their paths, and what is in them."""

    @property
    def paths(self) -> Collection[str]:
        """All paths."""

    @property
    def known(self) -> frozenset[str]:
        """``paths`` for look-ups."""

    def text(self, path: str) -> str:
        """Read a file; empty if it is missing."""

    def toml(self, path: str) -> dict[str, Any]:
        """Parse a file as TOML; ``{}`` if it is missing."""

    def below(self, folder: str) -> Iterator[str]:
        """Yield the paths below ``folder`` ("" is the root)."""
