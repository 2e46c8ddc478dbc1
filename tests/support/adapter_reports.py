"""The conformance kit on one adapter, for tests."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from verigate.composition.conformance import check_adapters
from verigate.domain.conformance import Conformance


def check_adapter(
    path: Path, capabilities: Sequence[str] = (), fixtures: Sequence[str] = (), *, checks: Sequence[str] = ()
) -> Conformance:
    """What the kit says about the one adapter at ``path``."""
    [report] = check_adapters(path, capabilities, fixtures, checks=checks)
    return report
