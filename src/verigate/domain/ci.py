"""Whether this is a job of CI, where nothing is reused and all tests run."""

from __future__ import annotations

from collections.abc import Mapping


def is_ci(environ: Mapping[str, str]) -> bool:
    """Whether the variable CI is set, as all CI systems do, to something else than ``0`` or ``false``."""
    return environ.get("CI", "").lower() not in {"", "0", "false"}
