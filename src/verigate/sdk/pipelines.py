"""Which files CI systems read."""

from __future__ import annotations

from verigate.domain.pipelines import is_pipeline

__all__ = ["is_pipeline"]
