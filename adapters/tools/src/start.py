"""Puts the adapter's source on sys.path, which ``-I`` keeps clean, and starts it."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from tool_adapter.__main__ import run

if __name__ == "__main__":
    sys.exit(run())
