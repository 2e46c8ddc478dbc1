"""code:integrity: does the change weaken what it will be judged by?"""

from __future__ import annotations

from code_adapter.integrity.capability import run

__all__ = ["run"]
