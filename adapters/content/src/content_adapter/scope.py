"""Select the texts to examine: those of the commitment, else the changed ones, else all."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from pathspec import PathSpec

from content_adapter.reading.formats import format_of
from content_adapter.settings import Settings
from verigate.sdk import Request, path_text
from verigate.sdk.scopes import named_by, read_committed_scope
from verigate.sdk.subject import Paths, Subject

AUTO = "auto"
ALL = "all"
CHANGED = "changed"
COMMITMENT = "commitment"
_ABOUT_TEXT = frozenset({"content", "docs"})
"""Task types whose commitment is about texts: its paths are the scope even if none of them exists."""


@dataclass(frozen=True, slots=True)
class Scope:
    """``paths`` are the texts to examine, sorted; ``kind`` is how they were selected (ALL, CHANGED, COMMITMENT)."""

    kind: str
    paths: Collection[str]


def find_scope(request: Request, subject: Subject, settings: Settings) -> Scope:
    """Select the texts of this task.

    Texts named by the commitment count even if the configuration excludes them. Without such a commitment, a task of
    type ``content`` is about the changed texts, if there are any: it shouldn't be credited with older pages.
    """
    texts = Paths(path for path in subject.paths if format_of(path))
    if settings.scope == AUTO:
        committed = read_committed_scope(request.commitment)
        if committed is not None:
            named = Paths(filter(named_by(committed.files, committed.directory), texts))
            if named or request.commitment.get("type") in _ABOUT_TEXT:
                return Scope(COMMITMENT, named)
    excluded = PathSpec.from_lines("gitignore", settings.exclude)
    # pathspec uses RE2 if installed, which accepts only Unicode.
    kept = Paths(path for path in texts if not excluded.match_file(path_text(path)))
    of_the_change = settings.scope == AUTO and request.commitment.get("type") == "content"
    if subject.changed is not None and (settings.scope == CHANGED or of_the_change):
        changed = Paths(path for path in kept if path in subject.changed)
        if changed or settings.scope == CHANGED:
            return Scope(CHANGED, changed)
    return Scope(ALL, kept)
