"""Fill CONSTRAINT and ARGUMENT slots: the parts of a request that restrict or modify the operation.

A value is recognized by its slot's keywords ("quality 80", "80 quality"), by a unit or a form that only this slot has
("640x480", "128kbps", "h264"), or, for a required slot, because nothing else can fill it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice, takewhile

from verigate.requests.exclusions import SYMBOLIC, is_excludable, is_marked, is_name_for_words, read_kind_left_out
from verigate.requests.file_formats import get_extension
from verigate.requests.reading import RequestReading, split_phrase
from verigate.requests.tokenizer import stem_text
from verigate.requests.vocabulary import (
    DANGEROUS,
    FILLER_WORDS,
    KINDS,
    LEAVING_OUT,
    LIGHT,
    NEGATIONS,
    split_words,
)
from verigate.tools.model import Category, Slot, SlotType, ToolCapability
from verigate.tools.values import ValueFault, format_value, parse_value

_FILLERS = split_words(
    """
    of is = : to at a an the with set rule rules code codes word words by around exactly about
    """
)
_NOUNS = frozenset({"folder", "directori", "file"})
_PREPOSITIONS = frozenset({"as", "to", "from", "at", "for", "in", "of", "until", "by", "with"})
_LISTING = frozenset({",", "and", "or"})
_NUMERIC = re.compile(r"[+-]?[0-9.]")
_KINDS_OF_TEXT = frozenset({"date", "person"})
_LEAVING = ("skip", "ignore", "exclude", "omit", "leave out", "avoid")
_LONGEST_VALUE = 6
"""Tokens of one value: "1 hour 2 minutes 3 seconds"."""


def list_valued_slots(capability: ToolCapability) -> tuple[Slot, ...]:
    """List the slots that options fill, except booleans."""
    return tuple(
        slot
        for slot in capability.slots
        if slot.category in {Category.ARGUMENT, Category.CONSTRAINT} and slot.type is not SlotType.BOOLEAN
    )


def _drop_video_slots(reading: RequestReading, slots: Sequence[Slot]) -> tuple[Slot, ...]:
    """Drop the video slots if all named files are sound: "to mp3 at 192kbps"."""
    named = {get_extension(token.text) for token in reading.tokens if token.kind in {"path", "quoted"}} - {""}
    if not named or not named <= KINDS["audio"]:
        return tuple(slots)
    return tuple(slot for slot in slots if "video" not in stem_text(slot.desc))


def list_phrases(slot: Slot) -> tuple[tuple[str, ...], ...]:
    """List the phrases that announce a slot, the longest first: its keywords, its name, its description."""
    texts = [text for text in slot.keywords if not text.startswith("-")]
    if slot.type is not SlotType.BOOLEAN or not texts:
        texts.append(slot.name.replace("_", " "))
    if slot.type is SlotType.BOOLEAN:
        texts += _expand_exclusions(slot.keywords)
        texts += _list_described_phrases(slot.desc)
    elif "leave out" in slot.desc.lower():
        texts += LEAVING_OUT
    return tuple(
        sorted({split_phrase(text) for text in texts if split_phrase(text)}, key=lambda parts: (-len(parts), parts))
    )


def _list_described_phrases(desc: str) -> list[str]:
    """List the phrases by which a description fills its slot: "Do not overwrite existing files", whole or without "do".

    A description of fewer than three words may occur by chance.
    """
    words = desc.rstrip(".").split()
    if len(words) < 3 or not all(word.strip(",").isalpha() for word in words):
        return []
    return [desc, " ".join(words[1:])] if words[0].lower() == "do" else [desc]


def _expand_exclusions(keywords: Sequence[str]) -> list[str]:
    """Expand keywords of exclusions: "without dependencies" also matches "skipping dependencies"."""
    names = [word.partition(" ")[2] for word in keywords if word.startswith(("without ", "no "))]
    return [f"{verb} {name}" for name in names for verb in _LEAVING]


def read_flags(
    reading: RequestReading, capability: ToolCapability, given: dict[str, object], *, nouns: bool = True
) -> None:
    """Read booleans, by their keywords, their name, or the flag itself.

    Without ``nouns``, skip a bare "folder" or "directory", which may belong to a name.
    """
    found: list[tuple[int, tuple[int, ...], Slot]] = []
    for slot in capability.slots:
        if slot.type is not SlotType.BOOLEAN:
            continue
        for parts in list_phrases(slot):
            if not nouns and set(parts) <= _NOUNS:
                continue
            for start in range(len(reading)):
                indexes = reading.match_phrase(start, parts, again=reading.used[start] == "trigger")
                if indexes is not None and not _is_turned(reading, slot, indexes):
                    found.append((-len(parts), indexes, slot))
        for index, token in enumerate(reading.tokens):
            if reading.is_free(index) and (token.raw == slot.flag or token.raw in slot.keywords):
                found.append((-9, (index,), slot))
    _read_joined_letters(reading, capability, given)
    taken: set[int] = set()
    for _, indexes, slot in sorted(found, key=lambda each: (each[0], each[1])):
        if taken & set(indexes) or reading.get_stem(indexes[0] - 1) == "no":
            continue
        taken |= set(indexes)
        given[slot.name] = True
        reading.mark_used((i for i in indexes if reading.used[i] is None), "flag")
        if not capability.destructive:
            # "only whole words" is a flag of a search. For a change, "only" may restrict the targets.
            reading.mark_used(_find_only(reading, indexes), "flag")


def _read_joined_letters(reading: RequestReading, capability: ToolCapability, given: dict[str, object]) -> None:
    """Read the letters of several flags in one word: ``rm -rf``. All must be flags of the capability."""
    letters = {
        name[1]: slot
        for slot in capability.slots
        if slot.type is SlotType.BOOLEAN
        for name in (slot.flag or "", *slot.keywords)
        if len(name) == 2 and name.startswith("-")
    }
    for index, token in enumerate(reading.tokens):
        text = token.raw
        if reading.is_free(index) and len(text) > 2 and text[0] == "-" and set(text[1:]) <= letters.keys():
            for letter in text[1:]:
                given[letters[letter].name] = True
            reading.mark_used((index,), "flag")


def _find_only(reading: RequestReading, indexes: Sequence[int]) -> list[int]:
    """Find the "only" before or after these tokens."""
    before = indexes[0] - 1
    while reading.get_word(before) in {"the", "a", "an"}:
        before -= 1
    return [
        index for index in (before, indexes[-1] + 1) if reading.is_free(index) and reading.get_word(index) == "only"
    ]


def read_keyed(reading: RequestReading, capability: ToolCapability, given: dict[str, object]) -> None:
    """Read values next to a keyword of their slot, those with the longest keywords first."""
    filled = _drop_video_slots(reading, list_valued_slots(capability))
    slots = [(slot, parts) for slot in filled for parts in list_phrases(slot)]
    flags = _locate_flags(reading, capability)
    for slot, parts in sorted(slots, key=lambda each: (-len(each[1]), each[0].name)):
        if parts[-1] in _NOUNS:
            continue
        for start in range(len(reading)):
            if slot.name in given and not slot.is_many:
                break
            indexes = reading.match_phrase(start, parts)
            if indexes is None or flags.get(start, 0) > len(parts) or _is_turned(reading, slot, indexes):
                continue
            found = _read_after(reading, slot, indexes[-1] + 1)
            if found is not None and is_name_for_words(reading, slot, found[1][-1]):
                continue
            if found is not None and not is_excludable(reading, slot, parts, found[1][-1]):
                continue
            if found is None and reading.get_word(start) not in _PREPOSITIONS:
                found = _read_before(reading, slot, start)
            if found is None:
                continue
            value, span = read_kind_left_out(reading, slot, *found)
            reading.mark_used((*indexes, *span), slot.name)
            values = [value]
            if slot.is_many:
                values += _read_more(reading, slot, span[-1] + 1)
                earlier = given.get(slot.name)
                values = [*(earlier if isinstance(earlier, list) else []), *values]
            given[slot.name] = values if slot.is_many else value


def _is_turned(reading: RequestReading, slot: Slot, indexes: Sequence[int]) -> bool:
    """Whether a word that narrows only has a keyword's stem: "the last 10s" isn't "lasting 10s"."""
    words = {reading.get_word(index) for index in indexes} & DANGEROUS
    known = {
        word for text in (*slot.keywords, slot.name, *LEAVING_OUT) for word in text.lower().replace("_", " ").split()
    }
    return not words <= known | NEGATIONS


def _locate_flags(reading: RequestReading, capability: ToolCapability) -> dict[int, int]:
    """Locate keywords of flags: start -> number of words of the longest; "without dependencies" isn't a value."""
    booleans = [slot for slot in capability.slots if slot.type is SlotType.BOOLEAN]
    phrases = {parts for slot in booleans for parts in list_phrases(slot)}
    return {
        start: max((len(parts) for parts in phrases if reading.match_phrase(start, parts) is not None), default=0)
        for start in range(len(reading))
    }


def _read_after(reading: RequestReading, slot: Slot, index: int) -> tuple[str, tuple[int, ...]] | None:
    start = index
    for _ in range(4):
        if slot.type is SlotType.STRING and reading.get_word(index) in _FILLERS and _is_value_next(reading, index):
            index += 1
            continue
        if (found := read_value_at(reading, slot, index, bare=True)) is not None:
            value, length = found
            return value, tuple(range(start, index + length))
        if not (reading.is_free(index) and reading.get_word(index) in _FILLERS):
            return None
        index += 1
    return None


def _is_value_next(reading: RequestReading, index: int) -> bool:
    """Whether a word only introduces the code or quoted text behind it: "rule E501"."""
    following = index + 1
    while reading.get_word(following) in _FILLERS and not is_marked(reading, following):
        following += 1
    return reading.is_free(following) and is_marked(reading, following)


def _read_before(reading: RequestReading, slot: Slot, index: int) -> tuple[str, tuple[int, ...]] | None:
    if slot.type in {SlotType.STRING, SlotType.FILEPATH, SlotType.TIMESTAMP}:
        return None
    for length in range(1, 4):
        found = read_value_at(reading, slot, index - length, bare=True)
        if found is not None and found[1] == length:
            return found[0], tuple(range(index - length, index))
    return None


def _read_more(reading: RequestReading, slot: Slot, index: int) -> Iterator[str]:
    """Yield the further values of a list: ``E501, E402 and W291``."""
    while reading.get_word(index) in _LISTING:
        skip = index + 1
        if reading.get_word(skip) in _LISTING:
            skip += 1
        found = read_value_at(reading, slot, skip, bare=True)
        if found is None or (slot.type is SlotType.STRING and not is_marked(reading, skip)):
            return
        reading.mark_used(range(index, skip + found[1]), slot.name)
        yield found[0]
        index = skip + found[1]


def read_typed(reading: RequestReading, capability: ToolCapability, given: dict[str, object]) -> None:
    """Read values that only one slot accepts, by form or unit, and values for required slots without alternative."""
    slots = [slot for slot in _drop_video_slots(reading, list_valued_slots(capability)) if slot.name not in given]
    order = (SlotType.DIMENSIONS, SlotType.ENUM, SlotType.QUANTITY, SlotType.TIMESTAMP)
    for kind in order:
        for slot in slots:
            if slot.type is not kind or slot.name in given:
                continue
            for index in range(len(reading)):
                found = read_value_at(reading, slot, index, bare=slot.required and kind is SlotType.QUANTITY)
                if found is not None and (kind is not SlotType.TIMESTAMP or slot.required):
                    reading.mark_used(range(index, index + found[1]), slot.name)
                    more = _read_more(reading, slot, index + found[1]) if slot.is_many else ()
                    given[slot.name] = [found[0], *more] if slot.is_many else found[0]
                    break
    for slot in slots:
        if slot.name in given or not slot.required or slot.category is not Category.ARGUMENT:
            continue
        loose = [i for i in range(len(reading)) if reading.is_free(i) and _is_loose(reading, slot, i)]
        if len(loose) == 1:
            given[slot.name] = reading.tokens[loose[0]].text
            reading.mark_used(loose, slot.name)


def _is_loose(reading: RequestReading, slot: Slot, index: int) -> bool:
    token = reading.tokens[index]
    if slot.type is SlotType.INTEGER:
        return token.kind == "word" and token.text.isdecimal()
    if slot.type is not SlotType.STRING:
        return False
    return token.kind == "quoted" or (token.kind == "word" and SYMBOLIC.fullmatch(token.text) is not None)


def read_value_at(  # noqa: PLR0911 - a line for each type
    reading: RequestReading, slot: Slot, index: int, *, bare: bool
) -> tuple[str, int] | None:
    """Read a slot's value that begins at a token; return its text and its number of tokens.

    ``bare`` also accepts ambiguous values: a number without a unit, a word of free text.
    """
    if not reading.is_free(index):
        return None
    token = reading.tokens[index]
    if slot.type in {SlotType.STRING, SlotType.FILEPATH}:
        return _read_free_text(reading, slot, index) if bare else None
    if token.kind == "quoted":
        return (token.text, 1) if bare and _is_parsable(slot, token.text) else None
    if slot.type is SlotType.ENUM:
        text = token.text.lower()
        if not bare and _is_description(reading, index):
            return None
        return (token.text, 1) if text in {value.lower() for value in (*slot.values, *slot.synonyms)} else None
    if slot.type is SlotType.INTEGER:
        return (token.text, 1) if bare and token.text.isdecimal() else None
    if not _NUMERIC.match(token.text) and slot.type is not SlotType.DIMENSIONS:
        return None
    for length in range(_LONGEST_VALUE, 0, -1):
        if all(reading.is_free(index + offset) for offset in range(length)):
            texts = [reading.tokens[index + offset].text for offset in range(length)]
            value = _read_measure(slot, texts, bare=bare)
            if value is not None:
                return value, length
    return None


def _is_description(reading: RequestReading, index: int) -> bool:
    """Whether a word only describes a file: "the markdown file x.md", "an html page"."""
    return reading.get_word(index + 1) in {"file", "files", "page", "document"} or reading.get_word(index - 1) in {
        "the",
        "my",
    }


def _read_measure(slot: Slot, texts: Sequence[str], *, bare: bool) -> str | None:
    joined = "".join(texts)
    alone = len(texts) == 1
    if slot.type is SlotType.DIMENSIONS:
        return joined if len(texts) in {1, 3} and _is_parsable(slot, joined) else None
    if alone and joined.isdecimal() and not bare:
        return None
    if len(texts) <= 2 and _is_parsable(slot, joined):
        return joined
    if alone:
        return None
    from verigate.requests.units import parse_duration, parse_quantity

    spoken = " ".join(texts)
    value = parse_duration(spoken) if slot.type is SlotType.TIMESTAMP else parse_quantity(spoken, slot.units)
    return value if value is not None and _is_parsable(slot, value) else None


def _is_parsable(slot: Slot, text: str) -> bool:
    try:
        format_value(parse_value(slot, text))
    except ValueFault:
        return False
    return True


def _read_free_text(reading: RequestReading, slot: Slot, index: int) -> tuple[str, int] | None:
    token = reading.tokens[index]
    if token.kind == "separator" or not token.text:
        return None
    if token.kind == "word" and slot.type is SlotType.STRING and (kind := _KINDS_OF_TEXT & set(stem_text(slot.desc))):
        from verigate.requests import dates_and_names

        words = [each.text for each in islice(reading.tokens, index, index + 4)]
        words = list(takewhile(lambda each: reading.is_free(index + words.index(each)), words))
        if "date" in kind:
            return dates_and_names.parse_date(words)
        length = dates_and_names.count_name_words(words)
        return (" ".join(words[:length]), length) if length else None
    if token.kind == "word" and (reading.get_word(index) in FILLER_WORDS or reading.get_word(index) in LIGHT):
        return None
    if slot.type is SlotType.FILEPATH and token.kind == "word" and not reading.around.exists(token.text):
        return None
    return token.text, 1
