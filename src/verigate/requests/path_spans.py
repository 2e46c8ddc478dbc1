"""Find the spans of a request that are files (TARGET and DESTINATION), and the word that marks the role of each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from verigate.requests.file_formats import get_extension, parse_format, parse_kind, parse_plural
from verigate.requests.reading import RequestReading
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
    PLACES,
    PLACING,
    QUANTIFIERS,
    split_words,
)
from verigate.tools.matching import is_pattern
from verigate.tools.model import Category, Effect, SlotType, ToolCapability

_BEFORE = split_words("the a an my our your new its it this that these those existing all every each both")
_MARKERS = INTO | NAMING | PLACING | OUT_OF | {"with"}
_REPOSITORY = ("repo", "repository", "project", "codebase")
_PLURAL = frozenset({"files", "folders", "directories", "dirs"})


class Span(NamedTuple):
    """A path or pattern of a request, at the tokens ``start`` to ``end``.

    ``marker`` is the word that marks its role. ``is_folder``: the request calls it a folder; ``is_kind``: a pattern in
    words ("all png files"); ``is_every``: each file of its kind; ``is_all``: everything in a folder.
    """

    path: str
    start: int
    end: int
    marker: str = ""
    is_folder: bool = False
    is_kind: bool = False
    is_all: bool = False
    is_every: bool = False


def find_spans(reading: RequestReading, capability: ToolCapability) -> tuple[Span, ...]:
    """Find every path in the unused tokens, in order."""
    found: list[Span] = []
    index = 0
    while index < len(reading):
        span = _read_span(reading, capability, index) if reading.is_free(index) else None
        if span is None:
            index += 1
            continue
        found.append(_add_marker(reading, span, found[-1] if found else None))
        index = span.end + 1
    return tuple(found)


def _read_span(reading: RequestReading, capability: ToolCapability, index: int) -> Span | None:
    for words, path in _PLACES:
        if all(reading.is_free(index + n) and reading.get_word(index + n) == word for n, word in enumerate(words)):
            if words in _THE_WHOLE and (capability.destructive or _is_more_than_all(reading, index + len(words))):
                continue
            marker = "in" if words == ("here",) else ""
            return Span(path, index, index + len(words) - 1, marker, is_folder=True)
    if (kind := _read_kind(reading, index)) is not None and not (
        capability.destructive and reading.get_word(index) == "any"
    ):
        return kind
    token = reading.tokens[index]
    if token.kind in {"path", "quoted"}:
        if not token.text or (token.kind == "path" and _is_bare_suffix(reading, index)):
            return None
        return _extend_by_noun(reading, Span(token.text, index, index))
    if token.kind != "word" or not _is_path_name(reading, capability, index):
        return None
    return _extend_by_noun(reading, Span(token.text, index, index))


_WITHIN = frozenset({"in", "inside", "from", "within", "under"})
_THE_WHOLE = frozenset((article, noun) for article in ("the", "my", "our") for noun in _REPOSITORY)
"""Words for the whole repository, where it is only read."""
_PLACES = (*PLACES.items(), *((words, ".") for words in sorted(_THE_WHOLE)))


def _is_more_than_all(reading: RequestReading, index: int) -> bool:
    """Whether "the repo" is followed by a part of it: "the repo folder src"."""
    return reading.get_word(index) in FOLDER_NOUNS | FILE_NOUNS or _is_name_next(reading, index)


def _read_kind(reading: RequestReading, index: int) -> Span | None:  # noqa: C901, PLR0911 - a line a case
    """Read ``all png files``, ``every .log file``, ``the pngs``; ``everything`` or ``all files`` in a folder."""
    start, word = index, reading.get_word(index)
    if reading.around.exists(word) and word not in QUANTIFIERS:
        return None
    if (words := _count_words_for_all(reading, index)) > 0:
        return Span("*", start, index + words - 1, is_all=True)
    if word == "everything":
        return None
    quantified = word in QUANTIFIERS
    while quantified and reading.get_word(index + 1) in _BEFORE | {"of"}:
        index += 1
    if quantified:
        index += 1
    if index >= len(reading) or not reading.is_free(index):
        return None
    if quantified and reading.get_word(index) in FILE_NOUNS and not _is_path_next(reading, index + 1):
        return Span("*", start, index, is_all=True)
    text = reading.tokens[index].text
    if reading.tokens[index].kind not in {"word", "path"}:
        return None
    noun = reading.get_word(index + 1) in FILE_NOUNS
    suffix, plural = (parse_format(text) if noun or quantified else None), parse_plural(text)
    if text.startswith(".") and not _is_bare_suffix(reading, index):
        suffix = None
    if suffix is None and plural is None:
        return None
    several = quantified or plural is not None or reading.get_word(index + 1) in _PLURAL
    end = index + 1 if noun else index
    if not noun and _is_file_word(reading, index + 1):
        return None  # "all backup png files": neither is a kind of its own
    if not several or _is_path_next(reading, end + 1, plural or suffix):
        return None
    return Span(f"*.{plural or suffix}", start, end, is_kind=True, is_every=quantified)


def _is_file_word(reading: RequestReading, index: int) -> bool:
    """Whether a free word is a noun of files or a format: what is before it only describes it."""
    if not reading.is_free(index) or reading.tokens[index].kind != "word":
        return False
    text = reading.tokens[index].text
    return text.lower() in FILE_NOUNS | FOLDER_NOUNS or (parse_format(text) or parse_plural(text)) is not None


def _count_words_for_all(reading: RequestReading, index: int) -> int:
    """Count the words that mean all that is in a folder: "everything", "the contents of", "the files in"; 0 if none."""
    if _is_everything(reading, index):
        return 1
    return 2 if reading.get_word(index) == "the" and _is_content_of_folder(reading, index) else 0


def _is_content_of_folder(reading: RequestReading, index: int) -> bool:
    """Whether the words are "the files in FOLDER": all that are there, where nothing chooses among them."""
    place = index + 2
    if reading.get_word(index + 1) != "files" or reading.get_word(place) not in _WITHIN:
        return False
    place += 1
    while reading.get_word(place) in _BEFORE | FOLDER_NOUNS:
        place += 1
    return (
        reading.is_free(place)
        and reading.tokens[place].kind != "separator"
        and reading.around.is_folder(reading.tokens[place].text)
    )


def _is_everything(reading: RequestReading, index: int) -> bool:
    """Whether the words are ``everything``, but not "everything in it", or ``the contents of`` a folder."""
    word = reading.get_word(index)
    if word == "everything":
        return reading.get_word(index + 2) not in {"it", "them"}
    return word in {"contents", "content"} and reading.get_word(index + 1) == "of"


def _is_path_next(reading: RequestReading, index: int, suffix: str | None = None) -> bool:
    if reading.get_word(index) in NAMING:
        index += 1
    if not reading.is_free(index) or reading.tokens[index].kind not in {"path", "quoted"}:
        return False
    return suffix is None or get_extension(reading.tokens[index].text) == suffix


def _is_bare_suffix(reading: RequestReading, index: int) -> bool:
    """Whether ``.png`` is an extension, not a file: it precedes ``files``, or no such file exists."""
    text = reading.tokens[index].text
    if parse_format(text) is None or reading.around.exists(text):
        return False
    return text.startswith(".") or f".{text}" in {".tar.gz", ".tar.xz", ".tar.bz2", ".tar.zst"}


def _extend_by_noun(reading: RequestReading, span: Span) -> Span:
    """Extend a span by the noun next to it: ``the build folder``, ``folder build``."""
    after = reading.get_word(span.end + 1)
    before = reading.get_word(span.start - 1)
    if before in NAMING:
        before = reading.get_word(span.start - 2)
    is_folder = after in FOLDER_NOUNS or before in FOLDER_NOUNS or span.path.endswith("/")
    return Span(span.path, span.start, span.end, is_folder=is_folder)


def _is_path_name(reading: RequestReading, capability: ToolCapability, index: int) -> bool:  # noqa: PLR0911 - a line a case
    """Whether a plain word is a path: by the noun next to it, by the marker before it, or because it exists."""
    word, text = reading.get_word(index), reading.tokens[index].text
    there = reading.around.exists(text)
    before = reading.get_word(index - 1)
    named = before in {"called", "named"} or (word not in FILLER_WORDS and _is_after_by_name(reading, index))
    if index in reading.intents and not there:
        # "a folder named copy", "mkdir archive": said to be a name, it is no intent.
        makes = _is_maker(capability) and (named or _is_operand(reading, capability, index))
        return reading.is_free(index) and (makes or _is_new_name_of_last(reading, capability, index))
    if named and _is_maker(capability):
        return True
    place = index - 1
    while place > 0 and reading.get_word(place) in _BEFORE:
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
    if parse_kind(text) is not None and _is_name_next(reading, index + 1):
        return False  # "the archive x.tgz"
    if _is_operand(reading, capability, index):
        return True
    if there:
        return not _is_kind_word(reading, index)
    return _is_called_folder(reading, index) or _is_new_name(reading, capability, index)


def _stands_as_name(reading: RequestReading, index: int) -> bool:
    """Whether a word that says nothing stands where only a name can: "delete a and b", where there is a file ``a``."""
    word = reading.get_word(index)
    if word not in _BEFORE | {"i", "so"} or reading.get_word(index - 1) in _BEFORE:
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


def _is_after_by_name(reading: RequestReading, index: int) -> bool:
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
        if reading.get_word(place) == trigger
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
        and not _is_name_next(reading, index + 2)
        and before in _BEFORE | INTO | PLACING | OUT_OF | {"and", ","}
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


def _is_name_next(reading: RequestReading, index: int) -> bool:
    """Whether the name follows the noun, so the word before is a description: "the repository folder src"."""
    if not reading.is_free(index):
        return False
    token = reading.tokens[index]
    return token.kind in {"path", "quoted"} or (token.kind == "word" and reading.around.exists(token.text))


def _is_kind_word(reading: RequestReading, index: int) -> bool:
    before = reading.get_word(index - 1)
    described = before in _BEFORE or parse_kind(before) is not None or parse_format(before) is not None
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


def _add_marker(reading: RequestReading, span: Span, previous: Span | None) -> Span:
    if span.marker or _is_after_by_name(reading, span.start):
        return span
    index = span.start - 1
    noun = ""
    while index >= 0 and (previous is None or index > previous.end):
        word = reading.get_word(index)
        if (
            word in NAMING
            and reading.get_word(index - 1) in FOLDER_NOUNS | FILE_NOUNS
            and _is_target_noun(reading, index)
        ):
            # "the file called x", "a folder named y": the name of the target, not another role.
            index -= 1
            continue
        if word in _MARKERS and (reading.is_free(index) or reading.used[index] == "marker"):
            return span._replace(marker=word)
        if (
            word in FOLDER_NOUNS | FILE_NOUNS | _BEFORE | {"page"}
            or reading.used[index] == "flag"
            or _is_type_word(reading, index)
        ):
            noun = noun or word
            index -= 1
            continue
        break
    if previous is not None and all(
        reading.get_word(i) in {"and", ",", "the", "", *FOLDER_NOUNS} for i in _list_between(previous, span)
    ):
        plain = all(reading.tokens[i].kind != "path" for i in _list_between(previous, span))
        joined = any(reading.get_word(i) in {"and", ","} for i in _list_between(previous, span))
        if joined and plain:
            return span._replace(marker=previous.marker)
    return span


def _is_target_noun(reading: RequestReading, index: int) -> bool:
    """Whether the noun before "called" is the target, rather than a new file made from others."""
    return reading.get_word(index) in {"called", "named"}


def _is_type_word(reading: RequestReading, index: int) -> bool:
    if not reading.is_free(index) or not reading.get_word(index):
        return False
    text = reading.tokens[index].text
    return parse_format(text) is not None or parse_kind(text) is not None


def _list_between(previous: Span, span: Span) -> Iterator[int]:
    return iter(range(previous.end + 1, span.start))


def is_folder_like(reading: RequestReading, span: Span) -> bool:
    """Whether a span is a folder: called one, ending with a slash, or existing as one."""
    return not is_pattern(span.path) and (span.is_folder or reading.around.is_folder(span.path))
