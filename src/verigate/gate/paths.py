"""Which changed paths claim and commitment speak of."""

from __future__ import annotations

from collections.abc import Iterable

from verigate.domain.facts import Facts
from verigate.domain.task import UnitKind

_GLOB = frozenset("*?[")


def covered_by(facts: Facts, path: str) -> bool:
    """Whether a claimed file unit, or the commitment's files or target directory, speak of ``path``."""
    if any(unit.kind is UnitKind.FILE and unit.key == path for unit in facts.units or ()):
        return True
    scope = facts.task.commitment.scope
    directory = (scope.target_directory or "").strip("/").removeprefix("./")
    if directory not in {"", "."} and path.startswith(f"{directory}/"):
        return True
    return _in_scope(path, scope.files)


def _in_scope(path: str, patterns: Iterable[str]) -> bool:
    globs = []
    for raw in patterns:
        pattern = raw.removeprefix("./")
        if _GLOB & set(pattern):
            globs.append(f"/{pattern.removeprefix('/')}")
        elif path == pattern or path.startswith(f"{pattern.rstrip('/')}/"):
            return True
    if not globs:
        return False
    from pathspec import PathSpec

    return PathSpec.from_lines("gitignore", globs).match_file(path)
