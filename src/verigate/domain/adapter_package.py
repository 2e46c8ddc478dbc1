"""Adapters in npm packages: the file that pins them, and where a run has its copy of them.

``node_modules`` is no part of what lands, and whoever is judged can write to it. So a package judges only if a tracked
file names it with the digest of its files: docs/decisions/0023.
"""

from __future__ import annotations

import re

PACKAGES_FILE = "config/adapter-packages.json"
"""npm package -> the digest of its files, ``sha256:`` and 64 hex digits."""

PACKAGE_NAME = re.compile(r"(?:@[a-z0-9~-][a-z0-9._~-]*/)?[a-z0-9~-][a-z0-9._~-]*")
"""A package's name, as https://docs.npmjs.com/cli/configuring-npm/package-json#name allows: two parts at most."""

INSTALLED = "node_modules"
COPIES = "npm"
"""Where installed packages lie in the repository, and their copies in the copy of the judges' files."""


def in_copy(path: str, root: str, policy_root: str) -> str | None:
    """Where a path below the repository's ``node_modules`` lies in a run's copy; None for any other path."""
    installed = f"{root.rstrip('/')}/{INSTALLED}/"
    return f"{policy_root.rstrip('/')}/{COPIES}/{path[len(installed) :]}" if path.startswith(installed) else None
