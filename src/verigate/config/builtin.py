"""Locate the adapters, the plan and the profiles that ship with the gate."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from verigate.errors import ExecutionError

if TYPE_CHECKING:
    from pathlib import Path

PLAN_FILE = "config/adapter-plan.json"
PROFILES_FILE = "config/verification.profiles.json"
ADAPTERS_FILE = "config/adapters.json"


def find_builtin_root() -> Path:
    """Return the folder with ``adapters/`` and ``config/``: ``verigate/builtin`` in a wheel, else the checkout.

    Raises ExecutionError if the installation has neither.
    """
    from pathlib import Path

    return Path(find_builtin_folder())


def find_builtin_folder() -> str:
    """Do what ``find_builtin_root`` does without pathlib, which takes longer to load than this to run."""
    package = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))  # noqa: PTH120
    for folder in (f"{package}/builtin", os.path.dirname(os.path.dirname(package))):  # noqa: PTH120
        if os.path.isfile(f"{folder}/{PLAN_FILE}"):  # noqa: PTH113
            return folder
    raise ExecutionError("the files that ship with the gate are missing", where=package, hint="install the gate again")
