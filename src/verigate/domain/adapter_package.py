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
"""Where installed packages lie in the repository."""

_COPIES = ".npm"


def locate_copies(policy_root: str) -> str:
    """Where a run's copies of pinned packages lie: beside the copy of the judges' files, and not in it.

    Node looks for modules in the parent folders as well, and there the copy of the judges' files has a link to
    ``node_modules``, of which nothing is pinned.
    """
    return f"{policy_root.rstrip('/')}{_COPIES}"


def locate_in_copy(path: str, root: str, policy_root: str) -> str | None:
    """Where a path below the repository's ``node_modules`` lies in a run's copy; None for any other path."""
    installed = f"{root.rstrip('/')}/{INSTALLED}/"
    return f"{locate_copies(policy_root)}/{path[len(installed) :]}" if path.startswith(installed) else None
