"""Adapters in npm packages: the file that pins them, and the place of a run's copies.

``node_modules`` isn't part of the change, and the author of the change can write to it. So a package is used only if a
tracked file pins it by the digest of its files: docs/decisions/0023.
"""

from __future__ import annotations

import re

from verigate.domain import policy_names

PACKAGES_FILE = policy_names.PACKAGES_FILE
"""npm package -> the digest of its files, ``sha256:`` and 64 hex digits."""

PACKAGE_NAME = re.compile(r"(?:@[a-z0-9~-][a-z0-9._~-]*/)?[a-z0-9~-][a-z0-9._~-]*")
"""A package's name, as https://docs.npmjs.com/cli/configuring-npm/package-json#name allows: two parts at most."""

INSTALLED = "node_modules"
"""Folder of installed packages in the repository."""

_COPIES = ".npm"


def locate_copies(policy_root: str) -> str:
    """Return the folder of a run's copies of pinned packages, next to the policy copy.

    It isn't inside the policy copy: Node also looks for modules in parent folders, and the policy copy has a link to
    ``node_modules``, where nothing is pinned.
    """
    return f"{policy_root.rstrip('/')}{_COPIES}"


def locate_in_copy(path: str, root: str, policy_root: str) -> str | None:
    """Return the place of a path below the repository's ``node_modules`` in a run's copy; None for any other path."""
    installed = f"{root.rstrip('/')}/{INSTALLED}/"
    return f"{locate_copies(policy_root)}/{path[len(installed) :]}" if path.startswith(installed) else None
