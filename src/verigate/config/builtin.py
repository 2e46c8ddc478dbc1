"""Where the adapters, the plan and the profiles that ship with the gate lie."""

from __future__ import annotations

from pathlib import Path

from verigate.errors import ExecutionError

PLAN_FILE = "config/adapter-plan.json"
PROFILES_FILE = "config/verification.profiles.json"
ADAPTERS_FILE = "config/adapters.json"


def builtin_root() -> Path:
    """The folder that holds ``adapters/`` and ``config/``: ``verigate/builtin`` in a wheel, else the checkout.

    Raises ExecutionError for an installation that has neither.
    """
    package = Path(__file__).resolve().parent.parent
    for folder in (package / "builtin", package.parent.parent):
        if (folder / PLAN_FILE).is_file():
            return folder
    raise ExecutionError(
        "the files that ship with the gate are missing", where=str(package), hint="install verigate again"
    )
