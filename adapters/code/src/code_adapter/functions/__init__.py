"""``code:functions``: list functions, classes and HTTP endpoints that the change adds, changes and removes."""

from __future__ import annotations

from code_adapter.functions.capability import run

__all__ = ["run"]
