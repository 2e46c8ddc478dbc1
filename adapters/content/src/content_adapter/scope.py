"""Which of the subject's files a task is about: what was committed to, else what changed, else all."""

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
"""Task types whose commitment speaks of texts: what it names is the scope, though nothing of it be there."""


@dataclass(frozen=True, slots=True)
class Scope:
    """``paths`` are what is examined, sorted; ``kind`` says by which rule (ALL, CHANGED, COMMITMENT)."""

    kind: str
    paths: Collection[str]


def find_scope(request: Request, subject: Subject, settings: Settings) -> Scope:
    """The texts that this task is about.

    What the commitment names counts even where the configuration excludes it. Without it a task of type ``content`` is
    about the texts that changed, where any did: the words of older pages are not its own.
    """
    texts = Paths(path for path in subject.paths if format_of(path))
    if settings.scope == AUTO:
        committed = read_committed_scope(request.commitment)
        if committed is not None:
            named = Paths(filter(named_by(committed.files, committed.directory), texts))
            if named or request.commitment.get("type") in _ABOUT_TEXT:
                return Scope(COMMITMENT, named)
    excluded = PathSpec.from_lines("gitignore", settings.exclude)
    # RE2, by which pathspec matches where it is installed, takes nothing but Unicode.
    kept = Paths(path for path in texts if not excluded.match_file(path_text(path)))
    of_the_change = settings.scope == AUTO and request.commitment.get("type") == "content"
    if subject.changed is not None and (settings.scope == CHANGED or of_the_change):
        changed = Paths(path for path in kept if path in subject.changed)
        if changed or settings.scope == CHANGED:
            return Scope(CHANGED, changed)
    return Scope(ALL, kept)
