"""The units of a claim (``func:name``, ``file:path`` and their like), as the gate reads them."""

from __future__ import annotations

from verigate.domain.task import Unit, UnitKind, parse_unit

__all__ = ["Unit", "UnitKind", "parse_unit"]
