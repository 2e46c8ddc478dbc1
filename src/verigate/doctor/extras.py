"""Which of the libraries that built-in adapters need beside the gate's own are missing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from importlib import metadata

_REQUIREMENT = re.compile(r"""([A-Za-z0-9][A-Za-z0-9._-]*).*\bextra\s*==\s*["']([^"']+)["']""")
_DISTRIBUTION = "verigate"


def missing(requirements: Iterable[str], extras: Iterable[str]) -> Mapping[str, Sequence[str]]:
    """Extra -> the distributions of it that aren't installed, sorted; of ``extras`` only, and only where some are.

    ``requirements`` are as a package's metadata has them (PEP 508): ``aiohttp>=3.11; extra == "links"``.
    """
    wanted = set(extras)
    found: dict[str, list[str]] = {}
    for requirement in requirements:
        parts = _REQUIREMENT.match(requirement)
        if parts is not None and parts[2] in wanted and not _installed(parts[1]):
            found.setdefault(parts[2], []).append(parts[1])
    return {extra: sorted(names) for extra, names in sorted(found.items())}


def own_requirements() -> Sequence[str]:
    """Those of the gate's own package; none where it isn't installed as one."""
    try:
        return metadata.requires(_DISTRIBUTION) or ()
    except metadata.PackageNotFoundError:
        return ()


def _installed(name: str) -> bool:
    try:
        metadata.version(name)
    except metadata.PackageNotFoundError:
        return False
    return True
