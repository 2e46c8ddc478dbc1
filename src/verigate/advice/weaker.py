"""Find what a file checks less than at HEAD by the words of its changed lines, and by nothing else.

It parses nothing and knows of no other file, so that it costs next to nothing: what it leaves out, the check at the end
of the turn finds.
"""

from __future__ import annotations

from verigate.advice import source_words
from verigate.advice.changed_lines import Changed
from verigate.advice.kinds import is_settings, is_test
from verigate.advice.source_lines import find_in_source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from verigate.advice.changed_lines import Weakening

_NO_CODE = (
    ".md",
    ".rst",
    ".adoc",
    ".html",
    ".svg",
    ".map",
    ".lock",
    ".min.js",
    ".snap",
    ".csv",
    ".tsv",
    ".log",
    ".patch",
)
_LONGEST_LINE = 2000

MOST_LINES = 500
"""Changed lines on either side above which nothing is compared: that is another file."""


def may_weaken(path: str, after: str | None) -> bool:
    """Whether an edit of this file may be found to weaken a check. ``after`` is what it holds, None for no file.

    What is no here needs no comparison, and git isn't started.
    """
    if is_test(path) or is_settings(path) or after is None or path.endswith(".rs"):
        return True
    if path.lower().endswith(_NO_CODE):
        return False
    lower = after.lower()
    words = (*source_words.SUPPRESSIONS, *source_words.DETECTIONS, *source_words.HIDDEN)
    return any(word in lower for word in words)


def find_weaker(path: str, before: str, after: str) -> list[Weakening]:
    """Return what is asked for less in ``after``, what is surest first. Nothing for text, and for generated files."""
    changed = Changed(before, after)
    lines = (*changed.removed, *changed.added)
    is_large = max(len(changed.removed), len(changed.added)) > MOST_LINES
    if not lines or is_large or any(len(line) > _LONGEST_LINE for _, line in lines):
        return []
    is_code = not path.lower().endswith(_NO_CODE)
    tests = is_test(path) or (path.endswith(".rs") and "#[test]" in before)
    found: list[Weakening] = []
    # Each is loaded for its files alone.
    if tests:
        from verigate.advice.test_lines import find_in_tests

        found += find_in_tests(path, changed)
    if is_settings(path) and is_code:
        from verigate.advice.setting_lines import find_in_settings

        found += find_in_settings(path, changed)
    return [*found, *(find_in_source(changed, tests=tests) if is_code else ())]
