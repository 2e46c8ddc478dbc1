"""Compares one edited file with its version at HEAD: started by the hook of a coding agent, not by a plan."""

from __future__ import annotations

import gc
import sys
from pathlib import Path

# As in start.py.
gc.disable()
sys.path.insert(0, str(Path(__file__).resolve().parent))

from code_adapter.integrity.edited_file import main  # noqa: E402 - the line above makes it known

if __name__ == "__main__":
    sys.exit(main())
