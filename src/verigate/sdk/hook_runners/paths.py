"""The files from which a hook runner reads its hooks, and whose content can be compared."""

from __future__ import annotations

FIRST_FILE = ".pre-commit-config.yaml"
"""The only one that takes no other one's place when it is new: it is what pre-commit and prek look for."""

PRE_COMMIT_FILES = frozenset({FIRST_FILE, ".pre-commit-config.yml", "prek.toml"})
LEFTHOOK_FILES = frozenset(
    f"{name}.{suffix}"
    for name in ("lefthook", ".lefthook", ".config/lefthook")
    for suffix in ("yml", "yaml", "toml", "json")
)


def is_hook_runner_file(path: str) -> bool:
    """Whether a hook runner reads its hooks from this path, and they can be compared."""
    return path in PRE_COMMIT_FILES or path in LEFTHOOK_FILES
