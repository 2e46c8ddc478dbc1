"""Parse the units of a claim (``func:name``, ``file:path`` and so on) as the gate does."""

from __future__ import annotations

from verigate.domain.task import Unit, UnitKind, parse_unit

__all__ = ["Unit", "UnitKind", "parse_unit"]
