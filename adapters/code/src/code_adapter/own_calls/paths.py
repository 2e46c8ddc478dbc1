"""Find in a project's files what the words of a call of pytest name."""

from __future__ import annotations

import posixpath

from code_adapter.own_calls.doctests import DoctestCall, list_candidates
from code_adapter.project_texts import ProjectTexts


def resolve_path(files: ProjectTexts, folder: str, word: str, call: DoctestCall) -> str | None:
    """Find what a word of a call names, as a path from the project's folder; None if that is nothing."""
    prefix = f"{folder}/" if folder else ""
    for path in list_candidates(word, call) or ():
        whole = (prefix + path).rstrip("/")
        if not path or whole in files.known or next(iter(files.below(whole)), None) is not None:
            return path
    return None


def resolve_ignored(word: str, call: DoctestCall) -> str | None:
    """Find what ``--ignore`` names, which may be a pattern and need not exist."""
    if "*" in word and "$" not in word and "{" not in word:
        return posixpath.normpath(word)
    candidates = list_candidates(word, call)
    return candidates[0] if candidates else None
