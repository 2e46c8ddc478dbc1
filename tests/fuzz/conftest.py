"""The fuzzer's modules are beside the test module, which the importlib mode doesn't put on the path."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
