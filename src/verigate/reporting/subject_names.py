"""Describe what was verified in the words of people: repository, commit with its title, base. Escaped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from verigate.domain.subject import SubjectKind
from verigate.domain.verdict import Verdict
from verigate.reporting.escape import escape

_SHORT = 12
_STANDS_ON = {SubjectKind.WORKTREE.value: "working tree on", SubjectKind.INDEX.value: "staged changes on"}


def describe_subject(verdict: Verdict) -> Iterator[tuple[str, str, str]]:
    """Yield (label, exact text, remark): ``("commit", "1a2b3c4d5e6f", "Add discounts")``.

    Foreign text is escaped and bounded. The verdict may be one that was edited: what isn't text is left out.
    """
    names = _names(verdict)
    if repository := _text(names.get("repository"), 100):
        yield "repository", repository, ""
    kind = _text(verdict.subject.get("kind"), 20)
    if commit := _text(names.get("commit"), _SHORT):
        yield _STANDS_ON.get(kind, "commit"), commit, _text(names.get("title"), 72)
    elif kind:
        yield "subject", kind, ""
    for name in ("base", "tree"):
        if shown := _text(verdict.subject.get(name), _SHORT):
            yield name, shown, _text(verdict.subject.get("base_by"), 60) if name == "base" else ""


def render_subject(verdict: Verdict) -> str:
    """Render the description as one line."""
    parts = []
    for label, text, remark in describe_subject(verdict):
        named = text if label == "repository" else f"{label} {text}"
        # How the base is known is no title of it.
        parts.append(f'{named} "{remark}"' if remark and label != "base" else named)
    return " · ".join(parts)


def _names(verdict: Verdict) -> Mapping[str, Any]:
    names = verdict.metadata.get("subject")
    return names if isinstance(names, Mapping) else {}


def _text(value: Any, limit: int) -> str:
    if not isinstance(value, str):
        return ""
    plain = value.removeprefix("sha256:")
    return escape(plain[:limit] if limit == _SHORT else plain, limit=limit)
