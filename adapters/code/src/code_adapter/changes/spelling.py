"""Whether a change of a text is one of spelling: words that became much alike ones, and little besides.

A change of a few lines that says something else is ``small``, and so is one of names in code: ``min_size`` is no
corrected ``max_size``. Nor is ``"no"`` a corrected ``"none"``, where code compares or returns it.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from typing import TYPE_CHECKING, Literal

from code_adapter.changes.code_equality import compare_code

if TYPE_CHECKING:
    from code_adapter.syntax.changes import ChangedFile

Edit = Literal["spelling", "small", "other"]

_WORD = re.compile(r"\w+|[^\w\s]")
_DIGIT = re.compile(r"\d")
_ALIKE = 0.6
_MOST_WORDS = 2
"""So many words may be put in or left out at one place of a text: an article, a doubled word. In code none may."""

_MOST_PLACES = 40
_FEW_LINES = 8
_MANY_LINES = 10_000
"""More lines are no text in which somebody corrects a word, and take their square to compare."""
_MOST_BYTES = 1 << 20


def classify_edit(file: ChangedFile) -> Edit:
    """Compare both versions word by word; a file that is new, gone, renamed or no text is ``other``."""
    before, after = file.before, file.after
    if before is None or after is None or before.content is None or after.content is None or file.renamed:
        return "other"
    if max(len(before.content), len(after.content)) > _MOST_BYTES or b"\0" in before.content + after.content:
        return "other"
    old, new = (content.decode("utf-8", "replace").splitlines() for content in (before.content, after.content))
    if len(old) + len(new) > _MANY_LINES or (Counter(old) - Counter(new)).total() > _MOST_PLACES:
        return "other"
    of_code = compare_code(file) in {"values", "differs"}
    most = 0 if of_code else _MOST_WORDS
    places = lines = 0
    edit: Edit = "spelling"
    for tag, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        places, lines = places + 1, lines + max(b - a, d - c)
        if places > _MOST_PLACES or max(b - a, d - c) > _MOST_PLACES:
            return "other"
        if edit == "small" or not _is_spelling(old[a:b], new[c:d], most):
            edit = "small"
    if edit == "spelling":
        return "small" if of_code else "spelling"
    return "other" if lines > _FEW_LINES else "small"


def _is_spelling(old: list[str], new: list[str], most: int) -> bool:
    """Whether words became much alike ones, with at most ``most`` words more or fewer at one place."""
    was, now = _WORD.findall(" ".join(old)), _WORD.findall(" ".join(new))
    for tag, a, b, c, d in difflib.SequenceMatcher(None, was, now, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        gone, come = "".join(was[a:b]), "".join(now[c:d])
        if _DIGIT.findall(gone) != _DIGIT.findall(come):
            return False
        if tag == "replace" and difflib.SequenceMatcher(None, gone.lower(), come.lower()).ratio() >= _ALIKE:
            continue
        if max(b - a, d - c) > most or _DIGIT.search(gone + come):
            return False
        if tag == "replace" and max(len(gone), len(come)) > 4:
            return False
    return True
