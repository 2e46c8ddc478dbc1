"""What the changed lines of any code ask for less: suppressions, text that hides, code that asks who looks."""

from __future__ import annotations

from verigate.advice import source_words as words
from verigate.advice.changed_lines import Changed, count_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from verigate.advice.changed_lines import Line, Weakening

_SHORT = 6


def find_in_source(changed: Changed, *, tests: bool) -> Iterator[Weakening]:
    """Yield what code asks for less. ``tests``: it may ask whether it is tested."""
    if changed.gain(words.SUPPRESSIONS) > 0 and (line := _find_suppression(changed)):
        yield line[0], f"a finding is silenced: {line[1]}"
    for wide, narrow in words.NARROWED:
        if changed.gain((narrow,)) < 0 <= changed.gain((wide,)) and (line := changed.find_added((wide,))):
            yield line[0], f"more findings are silenced: {line[1]}"
    if changed.gain(words.HIDDEN) > 0 and (line := changed.find_added(words.HIDDEN)):
        yield line[0], "characters show this line other than it is"
    if not tests and changed.gain(words.DETECTIONS) > 0 and (line := changed.find_added(words.DETECTIONS)):
        yield line[0], f"this asks whether it is tested: {line[1]}"


def _find_suppression(changed: Changed) -> Line | None:
    """Find a new suppression: of code that was there, or without a reason."""
    numbers = {number for number, _ in changed.added}
    gone = {line for _, line in changed.removed}
    there = changed.choose_words(words.SUPPRESSIONS)
    for number, line in changed.added:
        if not count_words(line, there):
            continue
        at = _find_start(line)
        code = line[:at].rstrip(" #/*-")
        following = number < len(changed.after) and not changed.after[number].isspace() and number + 1 not in numbers
        was_there = code in gone if code else following
        if was_there or not _has_reason(line[at:]):
            return number, line
    return None


def _find_start(line: str) -> int:
    lower = line.lower()
    return min(at for word in words.SUPPRESSIONS if (at := lower.find(word)) >= 0)


def _has_reason(text: str) -> bool:
    """Whether more than rules follow a suppression."""
    return any(len(text.partition(mark)[2].strip()) >= _SHORT for mark in words.REASONED)
