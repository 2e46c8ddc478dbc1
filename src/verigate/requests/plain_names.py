"""Tell whether a plain word is the name of a file: by what stands next to it, or because there is one."""

from __future__ import annotations

import re

from verigate.requests.file_formats import parse_format, parse_kind
from verigate.requests.reading import RequestReading, split_phrase
from verigate.requests.vocabulary import (
    DANGEROUS,
    DEVICES,
    FILE_NOUNS,
    FILLER_WORDS,
    FOLDER_NOUNS,
    INTO,
    JOINING,
    LIGHT,
    NAMING,
    OUT_OF,
    PLACING,
    split_words,
)
from verigate.tools.model import Category, Effect, SlotType, ToolCapability

BEFORE = split_words("the a an my our your new its it this that these those existing all every each both")


def is_path_name(reading: RequestReading, capability: ToolCapability, index: int) -> bool:  # noqa: PLR0911 - a line a case
    """Whether a plain word is a path: by the noun next to it, by the marker before it, or because it exists."""
    word, text = reading.get_word(index), reading.tokens[index].text
    there = reading.around.exists(text) and not _is_article(reading, index)
    before = reading.get_word(index - 1)
    named = before in {"called", "named"} or (word not in FILLER_WORDS and is_after_by_name(reading, index))
    if index in reading.intents and not there:
        # "a folder named copy", "mkdir archive": said to be a name, it is no intent.
        makes = _is_maker(capability) and (named or _is_operand(reading, capability, index))
        return reading.is_free(index) and (makes or _is_new_name_of_last(reading, capability, index))
    if named and _is_maker(capability):
        return True
    place = index - 1
    while place > 0 and reading.get_word(place) in BEFORE:
        place -= 1
    if index + 1 in reading.intents and before in {"a", "an"}:
        return False  # "a backup copy of x": it only says what kind of copy
    if there and reading.get_word(place) in INTO | PLACING | {"from"}:
        return not _is_kind_word(reading, index)
    if there and (_stands_as_name(reading, index) or _follows_noun(reading, index)):
        return True
    if word in FILLER_WORDS or word in DANGEROUS or word in LIGHT:
        return False
    values = {value.lower() for slot in capability.slots for value in slot.values}
    if before in NAMING and (before in {"called", "named"} or (word not in values and parse_format(text) is None)):
        return True
    if parse_kind(text) is not None and is_name_next(reading, index + 1):
        return False  # "the archive x.tgz"
    if _is_operand(reading, capability, index):
        return True
    if there:
        return not _is_kind_word(reading, index)
    return _is_called_folder(reading, index) or _is_new_name(reading, capability, index)


def _is_article(reading: RequestReading, index: int) -> bool:
    """Whether "a" stands before a noun of files that is followed by more: "a folder called x"."""
    noun = reading.get_word(index + 1) in FOLDER_NOUNS | FILE_NOUNS
    return reading.get_word(index) in {"a", "an"} and noun and index + 2 < len(reading)


def _stands_as_name(reading: RequestReading, index: int) -> bool:
    """Whether a word that says nothing stands where only a name can: "delete a and b", where there is a file ``a``."""
    word = reading.get_word(index)
    if word not in BEFORE | {"i", "so"} or reading.get_word(index - 1) in BEFORE:
        return False
    after = reading.get_word(index + 1)
    ends = index + 1 >= len(reading) or after in JOINING | INTO | NAMING | {"in", "from"}
    starts = reading.get_word(index - 1) in {"and", ","} or index - 1 in reading.intents
    return ends and starts


def _follows_noun(reading: RequestReading, index: int) -> bool:
    """Whether the name of something here stands behind its noun, and ends there: "the folder empty"."""
    before = index - 1
    while reading.get_word(before) in {"called", "named"}:
        before -= 1
    after = reading.get_word(index + 1)
    ends = index + 1 >= len(reading) or after in JOINING | INTO | PLACING | {"as", "from", "can"}
    return ends and reading.get_word(before) in FOLDER_NOUNS | FILE_NOUNS


def is_after_by_name(reading: RequestReading, index: int) -> bool:
    """Whether "by the name of" or "with the name" precedes a word."""
    before = index - 2 if reading.get_word(index - 1) in {"of", ":"} else index - 1
    return reading.get_word(before) == "name" and reading.get_word(before - 1) in {"the", "name", "with", "a"}


def _is_new_name_of_last(reading: RequestReading, capability: ToolCapability, index: int) -> bool:
    """Whether a word that is another tool's trigger is the new name at the end: "rename CHANGELOG to HISTORY"."""
    renames = {
        reading.used[place] == "trigger"
        for slot in capability.slots
        for trigger in slot.same_folder
        for place in range(index)
        if reading.get_stem(place) in split_phrase(trigger)
    }
    return True in renames and index + 1 == len(reading) and reading.get_word(index - 1) in INTO


def _is_operand(reading: RequestReading, capability: ToolCapability, index: int) -> bool:
    """Whether a word is the operand of a command that makes things: "mkdir releases"."""
    before = reading.get_word(index - 1)
    return _is_maker(capability) and before == capability.command.base and reading.used[index - 1] == "trigger"


def _is_called_folder(reading: RequestReading, index: int) -> bool:
    """Whether a noun marks a word as a folder's name: "the build folder", "folder build", "folders a, b"."""
    before = reading.get_word(index - 1)
    if (
        reading.get_word(index + 1) in FOLDER_NOUNS
        and not is_name_next(reading, index + 2)
        and before in BEFORE | INTO | PLACING | OUT_OF | {"and", ","}
    ):
        return True
    if before in FOLDER_NOUNS and index + 1 < len(reading) and reading.tokens[index + 1].kind in {"path", "quoted"}:
        return False  # "the folder structure a/b/c"
    if before in FOLDER_NOUNS and (reading.is_free(index - 1) or reading.used[index - 1] in {"trigger", "noun"}):
        return True
    return before in {"and", ","} and _is_in_name_list(reading, index)


def _is_new_name(reading: RequestReading, capability: ToolCapability, index: int) -> bool:
    """Whether a word that isn't an existing file is a destination: the last word of "to final"."""
    word, text = reading.get_word(index), reading.tokens[index].text
    values = {value.lower() for slot in capability.slots for value in slot.values}
    if not text[0].isalpha() or parse_format(text) is not None or parse_kind(text) is not None:
        return False
    if re.fullmatch(r"[\w.-]+", text) is None or not _has_destination(capability):
        return False
    head = index - 1
    while reading.get_word(head) == "new":
        head -= 1
    if reading.get_word(head) in {"a", "an"} and reading.get_word(head + 1) == "new":
        head -= 1
    # "to the clipboard" and "to a friend" name things that are known, and no new file.
    return (
        word not in DEVICES and reading.get_word(head) in INTO and word not in values and _is_phrase_end(reading, index)
    )


def _is_maker(capability: ToolCapability) -> bool:
    """Whether a capability creates its targets."""
    return any(slot.effect is Effect.WRITES for slot in capability.slots_of(Category.TARGET))


def _has_destination(capability: ToolCapability) -> bool:
    """Whether a capability has a slot for a destination."""
    return any(
        slot.type is SlotType.FILEPATH
        and (slot.category is Category.DESTINATION or (slot.category is Category.ARGUMENT and "folder" in slot.desc))
        for slot in capability.slots
    )


def is_name_next(reading: RequestReading, index: int) -> bool:
    """Whether the name follows the noun, so the word before is a description: "the repository folder src"."""
    if not reading.is_free(index):
        return False
    token = reading.tokens[index]
    return token.kind in {"path", "quoted"} or (token.kind == "word" and reading.around.exists(token.text))


def _is_kind_word(reading: RequestReading, index: int) -> bool:
    before = reading.get_word(index - 1)
    described = before in BEFORE or parse_kind(before) is not None or parse_format(before) is not None
    if reading.get_word(index + 1) in OUT_OF and parse_kind(reading.tokens[index].text) and described:
        return True
    return reading.get_word(index + 1) in FILE_NOUNS and parse_format(reading.tokens[index].text) is not None


def _is_in_name_list(reading: RequestReading, index: int) -> bool:
    """Whether a word is the second or a later name of ``folders a, b and c``."""
    head = index - 1
    while head > 0:
        if reading.get_word(head) in FOLDER_NOUNS:
            return True
        if reading.get_word(head) not in {"and", ","} and not reading.is_free(head):
            return False
        if reading.get_word(head) in FILLER_WORDS and reading.get_word(head) not in {"and", ","}:
            return False
        if reading.get_word(head) not in {"and", ","} and reading.tokens[head].kind not in {"word", "path"}:
            return False
        head -= 1
    return False


def _is_phrase_end(reading: RequestReading, index: int) -> bool:
    following = reading.get_word(index + 1)
    return index + 1 >= len(reading) or following in FILLER_WORDS or not reading.is_free(index + 1)
