"""Composer's ``vendor``: packages of PHP, and what loads their classes and those of the project."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from verigate.subject.dependency_links import Link, plan_entry_links

COPIED = (b"composer", b"bin")
"""Folders of a ``vendor`` whose files find the project from where they are: links to them would lead to the user's."""

_LOADER = b"autoload.php"
_APART = frozenset({*COPIED, _LOADER, b"bundle"})


def find_composer_folders(root: bytes, names: Sequence[bytes]) -> Iterator[bytes]:
    """Find each ``vendor`` that composer made next to a ``composer.json`` among ``names``."""
    for name in names:
        parent, _, last = name.rpartition(b"/")
        if last != b"composer.json" or not {b"vendor", b"node_modules"}.isdisjoint(parent.split(b"/")):
            continue
        path = parent + b"/vendor" if parent else b"vendor"
        if os.path.isfile(root + b"/" + path + b"/" + _LOADER):
            yield path


def plan_composer_links(source: bytes) -> Iterator[Link]:
    """Yield one link per package folder of the ``vendor`` at ``source``; what is copied is left out."""
    return (link for link in plan_entry_links(source, source) if link[0] not in _APART)
