"""Puts the adapter's source on sys.path, which ``-I`` keeps clean, and starts it."""

from __future__ import annotations

import gc
import sys
from pathlib import Path

# The modules stay until the end. Looking through them for garbage takes a sixth of a short call.
gc.disable()
sys.path.insert(0, str(Path(__file__).resolve().parent))

from verigate.sdk.lazy_imports import defer_imports, load_msgspec  # noqa: E402

defer_imports()
load_msgspec()

from api_adapter.__main__ import run  # noqa: E402

gc.freeze()
gc.enable()

if __name__ == "__main__":
    sys.exit(run())
