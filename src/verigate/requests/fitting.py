"""Fit a request to one capability: fill its slots, rate the result, or say why it doesn't fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from verigate.requests.accounting import find_unaccounted
from verigate.requests.existing_names import find_names_dropped
from verigate.requests.file_formats import get_extension, list_file_words, parse_format, parse_kind, parse_plural
from verigate.requests.file_slots import read_format, read_paths
from verigate.requests.folder_targets import imply_folders
from verigate.requests.meaning import check_meaning
from verigate.requests.options import read_flags, read_keyed, read_typed
from verigate.requests.reading import NotFitting, NotMeant, RequestReading, Surroundings
from verigate.requests.search_pattern import read_pattern
from verigate.requests.tokenizer import Token, stem_text
from verigate.requests.vocabulary import (
    DANGEROUS,
    FILLER_WORDS,
    FOLDER_NOUNS,
    INTO,
    KINDS,
    LIGHT,
    LOOKING,
    split_words,
)
from verigate.tools.matching import is_pattern, matches
from verigate.tools.model import Category, Slot, SlotType, Tool, ToolCapability

_GENERAL = split_words(
    """
    file folder or and to of the a that are is not with in what their for it look list read write
    """
)


class Fit(NamedTuple):
    """One candidate: its slot values, its confidence (0 to 1), and why it was ruled out (``fell``), None if it wasn't.

    ``unread`` are the words without a use in it; ``missing`` the required slots without a value.
    """

    tool: Tool
    capability: ToolCapability
    given: Mapping[str, Any]
    confidence: float
    fell: str | None = None
    missing: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    origin: str = ""

    @property
    def name(self) -> str:
        """``<first alias>:<capability>``."""
        return self.tool.qualify(self.capability)


def fit_capability(
    tool: Tool,
    capability: ToolCapability,
    tokens: Sequence[Token],
    triggered: Sequence[int],
    surroundings: Surroundings,
    *,
    leading: bool,
    literal: bool = True,
    intents: frozenset[int] = frozenset(),
    origin: str = "",
) -> Fit:
    """Fit a request to this capability. ``triggered`` are the tokens of its triggers.

    ``leading``: one of them is the verb that the request begins with.
    """
    reading = RequestReading(tokens, surroundings)
    reading.intents = intents
    reading.mark_used(triggered, "trigger")
    given: dict[str, Any] = {}
    try:
        read_pattern(reading, capability, given)
        suffix = read_format(reading, capability, last=False)
        read_keyed(reading, capability, given)
        read_flags(reading, capability, given, nouns=False)
        suffix = suffix or read_format(reading, capability, last=True)
        read_paths(reading, capability, given, suffix)
        read_typed(reading, capability, given)
        read_flags(reading, capability, given)
        imply_folders(capability, given, surroundings)
        check_meaning(reading, capability, given)
    except NotFitting as problem:
        confidence = 1.0 if leading and isinstance(problem, NotMeant) else 0.0
        return Fit(tool, capability, given, confidence, fell=str(problem), origin=origin)
    given = {slot.name: given[slot.name] for slot in capability.slots if slot.name in given}
    described = _list_described_stems(tool, capability, given)
    left = {i for i in range(len(tokens)) if _is_unread(reading, i, described, given, capability)}
    left |= set(find_unaccounted(reading, capability, described, lambda: _count_files(surroundings, capability, given)))
    unread = tuple(tokens[i].raw for i in sorted(left))
    missing = tuple(slot.name for slot in capability.slots if _is_missing(slot, given))
    confidence = _compute_confidence(reading, capability, given, len(unread), len(triggered), leading=leading)
    confidence -= 0 if literal else 0.06
    fell = _explain_misfit(reading, capability, given, missing, unread)
    if fell is None and (twofold := find_names_dropped(reading, is_destructive=capability.destructive)):
        word = tokens[twofold[0]].text
        fell = f"{word!r} is a word and a file here: put it in quotes if the file is meant, else say it in other words"
    return Fit(tool, capability, given, round(confidence, 3), fell, missing, unread, origin)


def _is_missing(slot: Slot, given: Mapping[str, Any]) -> bool:
    return slot.required and slot.default is None and slot.name not in given and slot.type is not SlotType.BOOLEAN


def _list_described_stems(tool: Tool, capability: ToolCapability, given: Mapping[str, Any]) -> frozenset[str]:
    """List the stems of the adapter's descriptions of the capability and its files."""
    texts = [tool.name, *tool.aliases, capability.name, capability.description, capability.domain.description]
    texts += [capability.domain.name]
    texts += [f"{slot.name} {slot.desc}" for slot in capability.slots if slot.category in _FILES]
    filled = [slot for slot in capability.slots if slot.name in given and slot.category not in _FILES]
    texts += [text for slot in filled for text in (slot.name, slot.desc, *slot.keywords)]
    return frozenset(stem for text in texts for stem in stem_text(text.replace("_", " "))) - _NEVER


_FILES = frozenset({Category.TARGET, Category.DESTINATION})
_NEVER = frozenset(stem for word in DANGEROUS for stem in stem_text(word))


def _is_unread(  # noqa: PLR0911 - a line for each reason
    reading: RequestReading, index: int, described: frozenset[str], given: Mapping[str, Any], capability: ToolCapability
) -> bool:
    if not reading.is_free(index):
        return False
    token = reading.tokens[index]
    if token.kind == "separator":
        return token.text not in {",", ".", "-", "\u2013", "\u2014", capability.command.end_of_options}
    if token.kind == "quoted":
        return True
    word = token.text.lower()
    if (
        word == "but"
        and reading.get_word(index + 1) not in FOLDER_NOUNS
        and (reading.used[index + 1 : index + 2] or [None])[0] not in {None, "path", "trigger", "text"}
    ):
        return False  # "untrack x but keep the file"
    if _is_harmless_only(reading, index, capability):
        return False
    if word in DANGEROUS or (word in INTO and _has_unread_destination(reading, index)):
        return True
    if token.kind == "word" and (word in FILLER_WORDS or word in LIGHT):
        return False
    if not capability.destructive and (word in LOOKING or _is_of_name(reading, index, given)):
        return False
    if _is_kind_word(token.text, given):
        return False
    return token.kind != "word" or not set(token.stem.split()) <= described


def _is_of_name(reading: RequestReading, index: int, given: Mapping[str, Any]) -> bool:
    """Whether a word is a part of a named file's name: "the beach photo photos/beach.jpg"."""
    named = [item for value in given.values() for item in (value if isinstance(value, list) else [value])]
    words = {stem for item in named if isinstance(item, str) and "." in item for stem in list_file_words(item)}
    return bool(reading.get_stem(index)) and reading.get_stem(index) in words


def _is_harmless_only(reading: RequestReading, index: int, capability: ToolCapability) -> bool:
    """Whether "only" stands beside a value or the one target of what only looks: "high severity only"."""
    if reading.get_word(index) != "only" or capability.destructive or capability.is_meant_to_write:
        return False
    place = index + 1
    while reading.get_word(place) in _ARTICLES:
        place += 1
    around = [reading.used[each] for each in (index - 1, place) if 0 <= each < len(reading)]
    return any(use not in {None, "trigger", "text"} for use in around)


def _has_unread_destination(reading: RequestReading, index: int) -> bool:
    """Whether the words after "to" or "into" should be a destination but weren't understood."""
    index += 1
    while index < len(reading) and reading.get_word(index) in _ARTICLES | FOLDER_NOUNS:
        index += 1
    # A word that isn't understood is told of by itself; one that says nothing would be dropped without a word.
    word = reading.get_word(index)
    return reading.is_free(index) and word in FILLER_WORDS and word not in LIGHT | _ARTICLES | {"be"}


_ARTICLES = frozenset({"the", "a", "an", "my", "our", "new"})


def _is_kind_word(text: str, given: Mapping[str, Any]) -> bool:
    """Whether a word describes files that are already named: "the png file logo.png"."""
    suffix = parse_format(text) or parse_plural(text)
    suffixes = frozenset({suffix}) if suffix else parse_kind(text)
    if suffixes is None:
        return False
    named = [item for value in given.values() for item in (value if isinstance(value, list) else [value])]
    same = {"jpeg": "jpg", "yml": "yaml", "htm": "html", "tiff": "tif"}
    known = {same.get(get_extension(item), get_extension(item)) for item in named if isinstance(item, str)}
    return bool({same.get(each, each) for each in suffixes} & known)


def _explain_misfit(
    reading: RequestReading,
    capability: ToolCapability,
    given: Mapping[str, Any],
    missing: Sequence[str],
    unread: Sequence[str],
) -> str | None:
    if (wrong := _find_outside_target(reading.around, capability, given)) is not None:
        return f"{wrong} is not one of its files ({capability.domain.name})"
    if missing:
        return f"nothing fills {', '.join(missing)}"
    if unread:
        return f"nothing accounts for {', '.join(map(repr, unread))}"
    return None


def _find_outside_target(around: Surroundings, capability: ToolCapability, given: Mapping[str, Any]) -> str | None:
    """Find the first target outside of the capability's domain, among what patterns match. Folders aren't entered."""
    for path in _list_paths(capability, given, Category.TARGET):
        if around.is_folder(path) and (capability.report is not None or not capability.domain.match_any):
            if any("folder" in slot.desc.lower() for slot in capability.slots_of(Category.TARGET)):
                continue
            return path
        if capability.domain.match_any:
            continue
        found = (around.expand(path) if is_pattern(path) else ()) or (path,)
        outside = next((each for each in found if not matches(capability.domain, each, around.mime_type)), None)
        if outside is not None:
            return outside
    return None


def _count_files(around: Surroundings, capability: ToolCapability, given: Mapping[str, Any]) -> int:
    """Count the targets, with what the patterns among them match now."""
    return sum(
        len(around.expand(path)) if is_pattern(path) else 1 for path in _list_paths(capability, given, Category.TARGET)
    )


def _list_paths(capability: ToolCapability, given: Mapping[str, Any], category: Category) -> list[str]:
    found: list[str] = []
    for slot in capability.slots_of(category):
        if slot.type is SlotType.FILEPATH and slot.name in given:
            value = given[slot.name]
            found += [str(item) for item in (value if isinstance(value, list) else [value])]
    return found


def _compute_confidence(
    reading: RequestReading,
    capability: ToolCapability,
    given: Mapping[str, Any],
    unread: int,
    triggers: int,
    *,
    leading: bool,
) -> float:
    """Compute the confidence: half for words used, a quarter for the intent, a quarter for matching files."""
    said = [i for i in range(len(reading)) if reading.used[i] or reading.get_word(i) not in FILLER_WORDS]
    # Free text that isn't in quotes may be anything: it counts half.
    loose = sum(0.5 for i in said if reading.used[i] == "text" and reading.tokens[i].kind != "quoted")
    covered = 1 - (unread + loose) / max(1, len(said))
    intent = min(1.0, (0.6 if leading else 0.4) + 0.2 * (triggers - 1))
    fits = []
    for category in (Category.TARGET, Category.DESTINATION):
        for slot in capability.slots_of(category):
            if slot.type is SlotType.FILEPATH:
                fits += [_rate_likeness(slot, path, reading) for path in _list_paths(capability, given, category)[:20]]
    ends = [get_extension(path) for path in _list_paths(capability, given, Category.DESTINATION)]
    fits += [1.0 if f".{end}" in capability.domain.extensions else 0.0 for end in ends if end]
    likeness = (sum(fits) / len(fits) + 1) / 2 if fits else 0.5
    return 0.5 * covered + 0.25 * intent + 0.25 * likeness


def _rate_likeness(slot: Slot, path: str, reading: RequestReading) -> float:
    """Return 1 if a slot's description names this kind of file, -1 if it names another kind, 0 if neither."""
    described = frozenset(stem_text(slot.desc)) - _GENERAL
    if is_pattern(path) and not get_extension(path):
        return 0.0
    said = {
        stem for i in range(len(reading)) if parse_kind(reading.get_word(i)) for stem in stem_text(reading.get_word(i))
    }
    if described & said:
        return 1.0
    if reading.inside:
        return 0.0  # a folder was named, and not what is in it
    if described & list_file_words(path):
        return 1.0
    if reading.around.is_folder(path):
        return 0.0 if "folder" in slot.desc.lower() else -1.0
    return -1.0 if described & _KIND_STEMS or _takes_only_folders(slot) else 0.0


def _takes_only_folders(slot: Slot) -> bool:
    words = stem_text(slot.desc)
    return "folder" in words and "file" not in words


_KIND_STEMS = frozenset(stem for word in (*KINDS, "dockerfile", "requirements") for stem in stem_text(word))
