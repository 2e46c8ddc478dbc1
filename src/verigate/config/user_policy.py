"""Read the user's policy.json, outside of all repositories: the policy ref of each folder of repositories."""

from __future__ import annotations

import os
from pathlib import Path

from verigate.config.files import parse_json, read_bytes
from verigate.config.validation import validate
from verigate.domain.policy_source import PolicyRef
from verigate.errors import ConfigError
from verigate.user_folders import is_inside

_MOST_BYTES = 10_000


def find_user_ref(path: str, root: str) -> PolicyRef | None:
    """Return the ref that the file at ``path`` names for the repository at ``root``; None if it names none.

    The longest folder counts that holds the repository, or the repository whose worktree it is. Raises ConfigError with
    every fault.
    """
    content = read_bytes(Path(path), shown=path, follow=True)
    if content is None:
        return None
    document = parse_json(content, shown=path)
    if faults := validate("policy-refs", document, file=path, source=content):
        raise ConfigError(faults)
    places = (root, *filter(None, (find_main_worktree(root),)))
    named: dict[str, str] = document.get("policy_refs", {})
    held = [folder for folder in named if any(is_inside(place, folder) for place in places)]
    if not held:
        return None
    return PolicyRef(named[max(held, key=lambda folder: len(os.path.realpath(folder)))], path)


def find_main_worktree(root: str) -> str | None:
    """Return the folder of the repository that a linked worktree belongs to; None for anything else.

    Starts no process. gitrepository-layout(5): ``.git`` is a file, and its folder has a ``commondir``.
    """
    link = Path(root, ".git")
    try:
        if not link.is_file():
            return None
        with link.open("rb") as file:
            text = file.read(_MOST_BYTES)
        if not text.startswith(b"gitdir: "):
            return None
        folder = Path(root, os.fsdecode(text.removeprefix(b"gitdir: ").rstrip(b"\r\n")))
        with (folder / "commondir").open("rb") as file:
            common = Path(folder, os.fsdecode(file.read(_MOST_BYTES).rstrip(b"\r\n")))
    except (OSError, ValueError):
        return None
    return os.path.realpath(common.parent)
