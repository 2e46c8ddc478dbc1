"""A package of the repository, and what its manifest says that it needs."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Package:
    """A package in ``folder`` ("" is the root). ``kind`` is that of its tool: names count among packages of one kind.

    ``needs`` are names, normalised like its own, and ``needs_paths`` folders or files of the repository. Names that no
    package here has are those of others. ``unknown`` says why what it needs isn't known: then it needs all.
    """

    kind: str
    folder: str
    name: str = ""
    needs: frozenset[str] = frozenset()
    needs_paths: frozenset[str] = frozenset()
    unknown: str = ""


@dataclass(frozen=True, slots=True)
class FoundPackages:
    """The packages of one kind. What ``wide`` names, and what is at ``wide_paths``, concerns all packages, with why."""

    packages: tuple[Package, ...] = ()
    wide: dict[str, str] = field(default_factory=dict)
    wide_paths: dict[str, str] = field(default_factory=dict)
