"""code:functions: which functions, classes and HTTP endpoints the change adds, changes and removes."""

from __future__ import annotations

from code_adapter.functions.capability import run

__all__ = ["run"]
