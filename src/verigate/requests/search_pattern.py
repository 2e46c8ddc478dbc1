"""Read the text of a search: free text for a required CONSTRAINT, in quotes or after "for"."""

from __future__ import annotations

import re
from typing import Any

from verigate.requests.options import read_flags
from verigate.requests.reading import NotMeant, RequestReading
from verigate.requests.vocabulary import DANGEROUS, JOINING, NEGATIONS, POLITE, split_words
from verigate.tools.model import Category, Slot, SlotType, ToolCapability

_INTRODUCING = split_words(
    """
    the a an word words string strings text pattern patterns phrase phrases regex expression term occurrence
    occurrences of line lines with containing contain contains that which have has mention mentions mentioning
    matching match matches all every any each where there is are appears references reference times many how often
    uses usages in files file me us for
    """
)
_TRAILING = frozenset({"appear", "appears", "occur", "occurs", "used", "is", "are", "mentioned", "comments"})
_TURNING = JOINING | NEGATIONS | DANGEROUS | {"replace", "with"}
"""Words that free text without quotes doesn't contain: they may be about the search itself."""
_BEFORE = frozenset({"as", "a", "an", "the", "with", "being", "by"})
_HOLDING = frozenset(
    {"in", "inside", "within", "under", "across", "throughout", "from", "over", "through", "among", "below"}
)


def read_pattern(reading: RequestReading, capability: ToolCapability, given: dict[str, Any]) -> None:
    """Fill the required text of a search. Flags come first, so that their words aren't part of it. Raises NotMeant.

    Text is in quotes, one word, or after "for". Words that may be about the search ("not", "or", "and replace") are
    text only in quotes.
    """
    slot = _find_slot(capability)
    if slot is None:
        return
    read_flags(reading, capability, given)
    marked = _find_quoted(reading) or _find_after_for(reading) or _find_after_trigger(reading, "for")
    span = marked or _find_after_trigger(reading)
    if span is None:
        return
    start, end = span
    words = {reading.get_word(index) for index in range(start, end + 1)}
    if start != end and (marked is None or words & _TURNING):
        raise NotMeant("where the text to search for ends isn't said: put it in quotes")
    token = reading.tokens[start]
    text = token.text if start == end else reading.join_text(start, end)
    if token.kind == "word" and re.fullmatch(r"[A-Z]{2,}s", text):
        text = text.removesuffix("s")  # "the TODOs"
    given[slot.name] = text
    _take_literally(capability, given, text)
    reading.mark_used(range(start, end + 1), "text")
    after = end + 1
    while reading.is_free(after) and reading.get_word(after) in _TRAILING:
        reading.mark_used((after,), slot.name)
        after += 1
    before = start - 1
    while reading.is_free(before) and reading.get_word(before) in _INTRODUCING | {"for"}:
        reading.mark_used((before,), slot.name)
        before -= 1


def _take_literally(capability: ToolCapability, given: dict[str, Any], text: str) -> None:
    """Set the flag for literal text where the text is no regular expression: "eval("."""
    try:
        re.compile(text)
    except re.error:
        given.update(
            (slot.name, True)
            for slot in capability.slots
            if slot.type is SlotType.BOOLEAN and "literally" in slot.keywords
        )


def _find_slot(capability: ToolCapability) -> Slot | None:
    return next(
        (
            slot
            for slot in capability.slots_of(Category.CONSTRAINT)
            if slot.required and slot.type is SlotType.STRING and slot.cardinality == 1
        ),
        None,
    )


def _find_quoted(reading: RequestReading) -> tuple[int, int] | None:
    found = [
        index for index in range(len(reading)) if reading.tokens[index].kind == "quoted" and reading.is_free(index)
    ]
    return (found[0], found[0]) if found and reading.tokens[found[0]].text else None


def _find_after_for(reading: RequestReading) -> tuple[int, int] | None:
    triggered = [index for index in range(len(reading)) if reading.used[index] == "trigger"]
    for index in range(len(reading)):
        if reading.get_word(index) == "for" and reading.is_free(index) and triggered and index > triggered[0]:
            return _take_words(reading, index + 1)
    return None


def _find_after_trigger(reading: RequestReading, last: str | None = None) -> tuple[int, int] | None:
    """Find the text after the first trigger, which ends with the word ``last`` if that is given."""
    triggered = [index for index in range(len(reading)) if reading.used[index] == "trigger"]
    if not triggered:
        return None
    end = triggered[0]
    while end + 1 in triggered:
        end += 1
    return _take_words(reading, end + 1) if last is None or reading.get_word(end) == last else None


def _take_words(reading: RequestReading, start: int) -> tuple[int, int] | None:
    """Take the words up to one that says where to search, without those that introduce them."""
    while start < len(reading) and (
        reading.used[start] == "flag" or (reading.is_free(start) and reading.get_word(start) in _INTRODUCING)
    ):
        start += 1
    if any(_is_place(reading, index) for index in (start, start + 1)):
        return None  # "count the words in notes.txt": where to look is said, and not for what
    end = start
    while end < len(reading) and reading.is_free(end):
        if (end > start and reading.get_word(end) in _HOLDING) or reading.tokens[end].kind == "separator":
            break
        end += 1
    if any(token.raw.startswith("-") for token in reading.tokens[start:end] if token.kind == "word"):
        return None  # an option of the tool, as if this were its command line
    last = end - 1
    if end < len(reading) and reading.used[end] == "flag":
        while last > start and reading.get_word(last) in _BEFORE:
            last -= 1  # "find id as a whole word"
    if last > start and (reading.tokens[last].kind == "path" or reading.around.exists(reading.tokens[last].text)):
        last -= 1  # "grep WARN logs"
    while last > start and reading.get_word(last) in _TRAILING:
        last -= 1
    while last > start and reading.get_word(last) in POLITE:
        last -= 1
    return (start, last) if last >= start else None


def _is_place(reading: RequestReading, index: int) -> bool:
    """Whether an existing path is here, after a word such as "in" that marks it as the place to search."""
    return (
        0 < index < len(reading)
        and reading.get_word(index - 1) in _HOLDING
        and reading.around.exists(reading.tokens[index].text)
    )
