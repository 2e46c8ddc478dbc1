"""Take a subject line apart: the type and scope before its colon, what it says, and references at its end.

Source: Conventional Commits 1.0.0.
"""

from __future__ import annotations

import re

from msgspec import Struct

from verigate.statements.markup import strip_links

_TYPES = (
    "feat|feature|fix|bugfix|docs?|documentation|style|refactor|perf|tests?|build|ci|chore|revert|deps|deps-dev|"
    "dependencies|security|types?|lint|release|cleanup|examples?"
)
_TYPED = re.compile(
    rf"(?P<type>{_TYPES})(?:\((?P<scope>[^()\n]{{1,60}})\))?(?P<breaking>!)?:\s*(?=\S)|\[(?P<tag>docs?|tests?)\]:?\s*(?=\S)",
    re.IGNORECASE,
)
_REFERENCES = re.compile(
    r"(?:\s*[,;.-]?\s*(?:\((?:(?:closes?|fix(?:es)?|resolves?|refs?|see|gh|issue|pr)[\s:-]*)?#?\d+(?:,?\s*#\d+)*\)|"
    r"\((?:[\w.-]+/[\w.-]+)?#\d+\)|\[(?:skip ci|ci skip|skip|no ci)\]|"
    r"(?:closes?|closed|fixes|fixed|resolves?|refs?)[\s:]+(?:[\w./-]*#|GH-)\d+(?:(?:,|\s|and)+#\d+)*|"
    r"[(\[]?(?:GH-|issue |PR )\d+[)\]]?))+\s*\.?\s*$",
    re.IGNORECASE,
)
_SIGNS = re.compile(r"^(?::[a-z_]+:|[^\w\s`\"'(\[<@#&*.$~/-])+\s*")
_CHECKED = re.compile(r"^(?:[-*+]\s+)?\[[xX]\]\s+")
_MEANT = {
    "doc": "docs",
    "documentation": "docs",
    "tests": "test",
    "deps": "deps",
    "deps-dev": "deps",
    "dependencies": "deps",
}


class SubjectLine(Struct, frozen=True):
    """``type`` is that of a conventional commit in its common form, empty without one; ``text`` is what is said."""

    type: str
    scope: str
    text: str


def parse_subject(text: str, *, typed: bool = True) -> SubjectLine:
    """Parse one line. What isn't typed, or can't be, has the whole line as its text."""
    line = _SIGNS.sub("", _CHECKED.sub("", strip_links(text).strip()))
    kind = scope = ""
    if typed and (found := _TYPED.match(line)) is not None:
        said = (found["type"] or found["tag"]).lower()
        kind, scope = _MEANT.get(said, said), (found["scope"] or "").strip()
        line = _SIGNS.sub("", line[found.end() :])
    return SubjectLine(kind, scope, _REFERENCES.sub("", line).strip().rstrip("."))
