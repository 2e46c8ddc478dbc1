"""Find the repositories that are served, and give each a name for addresses."""

from __future__ import annotations

import hashlib
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from verigate.domain.task_folder import ARTIFACTS_FOLDER

_DEEPEST = 6
"""Folders below a root that are searched."""

_MOST_FOLDERS = 100_000
_SKIPPED = frozenset({"node_modules", "target", "__pycache__", "site-packages"})
_NOT_IN_A_NAME = re.compile(r"[^A-Za-z0-9_-]+")
_LONGEST_NAME = 60


class ServedRepository(Struct, frozen=True, order=True):
    """A repository. ``name`` (``[A-Za-z0-9_-]+``) stands for it in addresses, and stays as long as its place does.

    ``pushed``: its tasks were pushed here, and there is nothing else of it, so nothing can be run.
    """

    name: str
    root: Path
    pushed: bool = False


def find_repositories(folders: Sequence[Path]) -> tuple[ServedRepository, ...]:
    """Find the repositories at and below these folders that have tasks, sorted by name.

    A repository has a real folder ``.artifacts``. Links are not followed, hidden folders and those of dependencies not
    searched, and below a repository others are found as well.
    """
    found = {root.resolve(): None for folder in folders for root in _search(folder)}
    return name_repositories(found)


def name_repositories(roots: Iterable[Path]) -> tuple[ServedRepository, ...]:
    """Name repositories by their folders; those of one name get a digest of their place as well."""
    plain = {root: _NOT_IN_A_NAME.sub("-", root.name).strip("-")[:_LONGEST_NAME] or "repository" for root in roots}
    alike = Counter(plain.values())
    return tuple(
        sorted(
            ServedRepository(name if alike[name] == 1 else f"{name}-{_digest(root)}", root)
            for root, name in plain.items()
        )
    )


def add_pushed(repositories: Sequence[ServedRepository], folder: Path) -> tuple[ServedRepository, ...]:
    """Add those whose tasks were pushed into ``folder``, and name all of them."""
    found = folder.glob(f"*/{ARTIFACTS_FOLDER}")
    kept = frozenset(place.parent.resolve() for place in found if not place.is_symlink())
    named = name_repositories(dict.fromkeys([*(each.root for each in repositories), *kept]))
    return tuple(replace(each, pushed=each.root in kept) for each in named)


def _digest(root: Path) -> str:
    return hashlib.sha256(os.fsencode(root)).hexdigest()[:8]


def _search(folder: Path) -> Iterator[Path]:
    pending, seen = [(str(folder), 0)], 0
    while pending and seen < _MOST_FOLDERS:
        place, depth = pending.pop()
        seen += 1
        try:
            with os.scandir(place) as listed:
                entries = [entry for entry in listed if entry.is_dir(follow_symlinks=False)]
        except OSError:
            continue  # it can't be read, so neither can tasks in it
        if any(entry.name == ARTIFACTS_FOLDER for entry in entries):
            yield Path(place)
        if depth < _DEEPEST:
            pending += [
                (entry.path, depth + 1)
                for entry in entries
                if not entry.name.startswith(".") and entry.name not in _SKIPPED
            ]
