"""Which version of a tool a project's .pre-commit-config.yaml pins: the one that its developers run.

Source: pre-commit's manual, "top-level repos": the revision of a tool's mirror is the tool's version.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

CONFIG_FILE = ".pre-commit-config.yaml"
MIRRORS: Mapping[str, str] = {"ruff": "astral-sh/ruff-pre-commit"}
"""Tool -> the end of its mirror's address."""

_VERSION = re.compile(r"v?(\d+\.\d+\.\d+)")


def read_pinned_version(text: str, tool: str) -> str | None:
    """Read the version of ``tool`` that a .pre-commit-config.yaml pins; None without one, and for invalid YAML."""
    if MIRRORS[tool] not in text:
        return None
    import yaml

    try:
        document = yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError, ValueError):
        return None
    repos = document.get("repos") if isinstance(document, dict) else None
    for repo in repos if isinstance(repos, list) else ():
        if isinstance(repo, dict) and str(repo.get("repo", "")).removesuffix(".git").endswith(MIRRORS[tool]):
            found = _VERSION.fullmatch(str(repo.get("rev", "")))
            return found[1] if found else None
    return None
