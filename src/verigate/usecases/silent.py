"""A listener that shows nothing: of runs within a run, and where nobody watches."""

from __future__ import annotations

from verigate.domain.execution import CapabilityRun


class Silent:
    """A listener that shows nothing."""

    watches = False

    def started(self, capability: str, progress: str | None = None, /) -> None:
        """Nothing to do."""

    def finished(self, run: CapabilityRun) -> None:
        """Nothing to do."""
