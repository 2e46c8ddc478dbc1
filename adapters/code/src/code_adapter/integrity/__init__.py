"""code:integrity: whether the change weakens what it will be judged by."""

from __future__ import annotations

from code_adapter.integrity.capability import run

__all__ = ["run"]
