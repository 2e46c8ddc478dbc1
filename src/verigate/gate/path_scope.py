"""Which changed paths the claim and the commitment cover."""

from __future__ import annotations

from verigate.domain.facts import Facts
from verigate.domain.scope_paths import named_by
from verigate.domain.task import UnitKind


def is_path_covered(facts: Facts, path: str) -> bool:
    """Whether a claimed file unit, or the commitment's files or target directory, cover ``path``."""
    if any(unit.kind is UnitKind.FILE and unit.key == path for unit in facts.units or ()):
        return True
    scope = facts.task.commitment.scope
    return named_by(scope.files, scope.target_directory)(path)
