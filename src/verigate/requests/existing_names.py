"""Find words that were read as words and are the names of files here: which of both is meant isn't known."""

from __future__ import annotations

from verigate.requests.accounting import PREPOSITIONS
from verigate.requests.reading import RequestReading
from verigate.requests.vocabulary import DANGEROUS, FILLER_WORDS, JOINING, LIGHT, POLITE, QUANTIFIERS


def find_names_dropped(reading: RequestReading, *, is_destructive: bool) -> tuple[int, ...]:
    """Return the words that were read as words, and are exactly the name of a file here: either might be meant.

    ``is_destructive``: then a preposition right after the verb may be a name, too ("delete as b").
    """
    inside = {index for start, end, _, _ in reading.roles if end > start for index in range(start, end + 1)}
    return tuple(
        index
        for index, token in enumerate(reading.tokens)
        if token.kind == "word"
        and (reading.used[index] in {None, "flag", "text"} or index in inside)
        and _is_little_word(token.text.lower(), reading.used[index])
        and not _is_article(reading, index)
        and not (_is_preposition(reading, index) and not (is_destructive and reading.used[index - 1] == "trigger"))
        and reading.around.exists(token.text)
    )


def _is_article(reading: RequestReading, index: int) -> bool:
    """Whether "a" or "an" stands before a noun, with more behind it: "a folder named x". A file of that name can't."""
    following = reading.get_word(index + 1)
    if reading.get_word(index) not in {"a", "an"} or not following or index + 2 >= len(reading):
        return False
    return reading.used[index] in {None, "flag"} and following not in JOINING | PREPOSITIONS


def _is_preposition(reading: RequestReading, index: int) -> bool:
    """Whether a word can only be a preposition, because something that it governs follows: "out of x"."""
    following = reading.get_word(index + 1)
    governs = index + 1 < len(reading) and following not in JOINING
    return reading.get_word(index) in PREPOSITIONS and governs and reading.get_word(index - 1) not in JOINING


def _is_little_word(word: str, use: str | None) -> bool:
    return use == "flag" or word in FILLER_WORDS | LIGHT | DANGEROUS | QUANTIFIERS | POLITE | JOINING
