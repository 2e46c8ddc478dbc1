"""``code:integrity``: detect changes that weaken tests, linters and other checks of the change."""

from __future__ import annotations

from code_adapter.integrity.capability import run

__all__ = ["run"]
