"""Select the suites of a repository's packages by a change: those of changed packages, and of what needs them."""

from __future__ import annotations

from collections.abc import Container, Sequence

from code_adapter.testing.impact.affected import AffectedPackages
from code_adapter.testing.suites import Suite


def select_suites(suites: Sequence[Suite], affected: AffectedPackages, measured: Container[str]) -> list[Suite]:
    """Select the suites that have tests of affected packages, and those that are declared or ``measured`` already."""
    return [suite for suite in suites if suite.suite in measured or suite.is_declared or affected.affects(suite.folder)]
