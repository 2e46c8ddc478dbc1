"""Read both versions of a configuration, and compare them by the runner that reads it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from typing import Any

from verigate.sdk.hook_runners.changes import HookChange, refuse
from verigate.sdk.hook_runners.lefthook import compare_lefthook
from verigate.sdk.hook_runners.paths import FIRST_FILE, PRE_COMMIT_FILES, is_hook_runner_file
from verigate.sdk.hook_runners.pre_commit import compare_pre_commit, list_ids
from verigate.sdk.yaml_documents import load_documents


def compare_hooks(path: str, base: bytes | None, head: bytes | None) -> tuple[HookChange, ...]:
    """Compare two versions of a configuration; None for one that isn't there.

    Nothing for what runs the same hooks or more. What can't be read or isn't known is for whoever reviews the judges.
    """
    if not is_hook_runner_file(path):
        return (refuse(f"{path} isn't the configuration of a known hook runner"),)
    if base is None and path != FIRST_FILE:
        return (refuse(f"{path} may take the place of another configuration"),)
    compare = compare_pre_commit if path in PRE_COMMIT_FILES else compare_lefthook
    try:
        return tuple(_in_order(compare(_read(path, base), _read(path, head))))
    except (ValueError, TypeError, RecursionError) as problem:
        return (refuse(f"{path} can't be compared: {problem}"[:400]),)


def list_hooks(path: str, content: bytes | None) -> list[str]:
    """List the ids of the hooks of pre-commit or prek; none of what can't be read, and of another runner."""
    try:
        return list_ids(_read(path, content)) if path in PRE_COMMIT_FILES else []
    except (ValueError, TypeError, RecursionError):
        return []


def _read(path: str, content: bytes | None) -> dict[str, Any]:
    """Read a configuration; an empty one for a file that isn't there. Raises ValueError or RecursionError."""
    if content is None:
        return {}
    text = content.decode("utf-8")
    documents: list[Any] = [tomllib.loads(text)] if path.endswith(".toml") else load_documents(text)
    if (
        len(documents) != 1
        or not isinstance(documents[0], dict)
        or not all(isinstance(key, str) for key in documents[0])
    ):
        raise ValueError("it isn't one table of settings")
    return documents[0]


def _in_order(found: Iterable[HookChange]) -> list[HookChange]:
    """What is for whoever reviews the judges first; each once."""
    return sorted(dict.fromkeys(found), key=lambda change: not change.judges)
