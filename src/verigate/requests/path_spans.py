"""Find the spans of a request that are files (TARGET and DESTINATION), and the word that marks the role of each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from verigate.requests.file_formats import get_extension, parse_format, parse_kind, parse_plural
from verigate.requests.plain_names import BEFORE, is_after_by_name, is_name_next, is_path_name
from verigate.requests.reading import RequestReading
from verigate.requests.vocabulary import (
    FILE_NOUNS,
    FOLDER_NOUNS,
    INTO,
    NAMING,
    OUT_OF,
    PLACES,
    PLACING,
    QUANTIFIERS,
)
from verigate.tools.matching import is_pattern
from verigate.tools.model import ToolCapability

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
    if token.kind != "word" or not is_path_name(reading, capability, index):
        return None
    return _extend_by_noun(reading, Span(token.text, index, index))


_WITHIN = frozenset({"in", "inside", "from", "within", "under"})
_THE_WHOLE = frozenset((article, noun) for article in ("the", "my", "our") for noun in _REPOSITORY)
"""Words for the whole repository, where it is only read."""
_PLACES = (*PLACES.items(), *((words, ".") for words in sorted(_THE_WHOLE)))


def _is_more_than_all(reading: RequestReading, index: int) -> bool:
    """Whether "the repo" is followed by a part of it: "the repo folder src"."""
    return reading.get_word(index) in FOLDER_NOUNS | FILE_NOUNS or is_name_next(reading, index)


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
    while quantified and reading.get_word(index + 1) in BEFORE | {"of"}:
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
    while reading.get_word(place) in BEFORE | FOLDER_NOUNS:
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


def _add_marker(reading: RequestReading, span: Span, previous: Span | None) -> Span:
    if span.marker or is_after_by_name(reading, span.start):
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
            word in FOLDER_NOUNS | FILE_NOUNS | BEFORE | {"page"}
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
