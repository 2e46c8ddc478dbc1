"""Find the executable that starts this gate, for hooks to call."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from verigate.errors import UsageError


def launcher() -> tuple[str, ...]:
    """Return the argument vector that starts this very gate: the checkout's launcher, else the installed script."""
    checkout = Path(__file__).resolve().parents[3] / "bin" / "gate"
    if checkout.is_file():
        return (str(checkout),)
    installed = Path(sys.executable).with_name("gate")
    found = str(installed) if installed.is_file() else shutil.which("gate")
    if found is None:
        raise UsageError(
            "there is no gate executable to install", hint="install the gate with pip, uv or pipx; see docs/install.md"
        )
    return (os.path.abspath(found),)  # noqa: PTH100 - a symbolic link to the script must stay one
