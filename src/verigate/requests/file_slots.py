"""Assign the files of a request to the slots of a capability, by the words next to them."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from verigate.requests.file_formats import derive_destinations, get_extension, parse_format, parse_plural
from verigate.requests.meaning import has_trigger
from verigate.requests.path_spans import Span, find_spans, is_folder_like
from verigate.requests.reading import NotFitting, NotMeant, RequestReading, Role
from verigate.requests.vocabulary import FOLDER_NOUNS, FORMATS, INTO, KINDS, NAMING, PLACING
from verigate.tools.effects import resolve_effect
from verigate.tools.matching import is_pattern
from verigate.tools.model import Category, Effect, Slot, SlotType, ToolCapability

_FROM = frozenset({"from", "of", "with"})
_HOLDING = PLACING | {"from", "of"}
_FORMAT_FILLERS = frozenset({"a", "an", "the", "format", "file", "files"})


def read_format(reading: RequestReading, capability: ToolCapability, *, last: bool) -> str | None:
    """The extension that a destination is only said by: "to html". Before other options (not ``last``) only if no path
    stands where a destination does, because then the format may be an option of its own.
    """
    if not _path_slots(capability, Category.DESTINATION):
        return None
    if not last:
        for index in range(len(reading)):
            place = index + 1
            while reading.get_word(place) in _FORMAT_FILLERS:
                place += 1
            named = reading.get_word(index) in INTO | NAMING and place < len(reading)
            if named and reading.tokens[place].kind in {"path", "quoted"} and not _is_format(reading, place):
                return None
    return _read_destination_format(reading, capability)


def _is_format(reading: RequestReading, place: int) -> bool:
    text = reading.tokens[place].text
    return parse_format(text) is not None and not reading.around.exists(text)


def read_paths(
    reading: RequestReading, capability: ToolCapability, given: dict[str, object], suffix: str | None = None
) -> None:
    """Fill TARGET, DESTINATION and, without a DESTINATION, an ARGUMENT that is a folder. Raises NotFitting."""
    places = _path_slots(capability, Category.DESTINATION)
    found = list(find_spans(reading, capability))
    for span in found:
        reading.mark_used(range(span.start, span.end + 1), "path")
    into: Span | None = None
    if places and places[0].name not in given:
        into = _find_destination(reading, found, suffix)
        if into is not None:
            found.remove(into)
            reading.roles.append(Role(into.start, into.end, "destination", into.marker))
            # "to the docs folder": the noun belongs to the name, and says nothing of what is moved there.
            nouns = (into.start - 1, into.end + 1)
            reading.mark_used((i for i in nouns if reading.is_free(i) and reading.get_word(i) in FOLDER_NOUNS), "noun")
    elif not places:
        _fill_argument(reading, capability, found, given)
        _refuse_destination(found)
    targets = _list_targets(reading, capability, found)
    targets = _expand_folders(reading, capability, targets)
    if targets:
        slot = _path_slots(capability, Category.TARGET)
        if not slot:
            raise NotFitting("it takes no files")
        several = slot[0].is_many or capability.loop_slot is slot[0] or slot[0].cardinality != 1
        if len(targets) > 1 and not several:
            raise NotFitting(f"it takes one {slot[0].name}, and there are {len(targets)}")
        given[slot[0].name] = targets if several else targets[0]
    if places:
        _fill_destination(reading, capability, places[0], into, suffix, targets, given)


def _path_slots(capability: ToolCapability, category: Category) -> tuple[Slot, ...]:
    return tuple(slot for slot in capability.slots_of(category) if slot.type is SlotType.FILEPATH)


def _read_destination_format(reading: RequestReading, capability: ToolCapability) -> str | None:
    """Read the extension after ``to``, ``into`` or ``as``, where only the format of the destination is given."""
    values = {value.lower() for slot in capability.slots for value in slot.values}
    for index in range(len(reading)):
        if reading.get_word(index) not in INTO | {"as", "in"} or not reading.is_free(index):
            continue
        place = index + 1
        while reading.get_word(place) in _FORMAT_FILLERS:
            place += 1
        if not reading.is_free(place) or reading.tokens[place].kind == "quoted":
            continue
        text = reading.tokens[place].text
        suffix = parse_format(text) or (parse_plural(text) if place + 1 == len(reading) else None)
        if suffix is None or reading.around.exists(text):
            continue
        named = reading.get_word(place + 1) in NAMING or reading.get_word(place + 1) in {"files", "folder", "directory"}
        path_next = place + 1 < len(reading) and reading.tokens[place + 1].kind == "path"
        if (named and reading.get_word(index) == "in") or (path_next and text.lower() not in values and not named):
            continue
        if reading.get_word(index) == "in" and reading.get_word(place + 1) != "format":
            continue
        reading.mark_used(range(index, place + 1), "format")
        if reading.get_word(place + 1) == "format":
            reading.mark_used((place + 1,), "format")
        return suffix
    return None


def _find_destination(  # noqa: PLR0911 - a line for each way to say it
    reading: RequestReading, found: Sequence[Span], suffix: str | None
) -> Span | None:
    naming = [span for span in found if span.marker in NAMING]
    into = [span for span in found if span.marker in INTO]
    placing = [span for span in found if span.marker in PLACING]
    plain = [span for span in found if not span.marker]
    source = [span for span in found if span.marker in _FROM]
    if len(naming) > 1 or len(into) > 1:
        raise NotFitting("it has one destination, and there are several")
    if naming:
        return naming[0]
    if into and _is_link_target(reading, into[0]):
        candidates = [*placing, *plain]
        return candidates[0] if len(candidates) == 1 else None
    if into:
        return into[0]
    if suffix is not None:
        return next((span for span in placing if _is_elsewhere(reading, span, plain)), None)
    if placing and (plain or source) and not (plain and all(span.is_kind or span.is_all for span in plain)):
        return placing[-1] if len(placing) == 1 else None
    if placing and placing[-1].marker in {"at", "in", "under"} and (plain or source):
        return placing[-1] if len(placing) > 1 else None
    if source and len(plain) == 1 and not is_folder_like(reading, plain[0]):
        return plain[0]
    return None


def _is_link_target(reading: RequestReading, span: Span) -> bool:
    """Whether "to" follows the intent's own noun, "a link to x", and so marks the target."""
    index = span.start - 1
    while index > 0 and reading.get_word(index) not in INTO:
        index -= 1
    return index > 0 and reading.used[index - 1] in {"trigger", "flag"} and reading.get_word(index - 1).endswith("link")


def _is_elsewhere(reading: RequestReading, span: Span, plain: Sequence[Span]) -> bool:
    """Whether "in FOLDER" is the destination: the named files exist here, not there."""
    return bool(plain) and all(
        reading.around.exists(each.path) and not reading.around.exists(posixpath.join(span.path, each.path))
        for each in plain
    )


def _fill_argument(
    reading: RequestReading, capability: ToolCapability, found: list[Span], given: dict[str, object]
) -> None:
    slots = [slot for slot in _path_slots(capability, Category.ARGUMENT) if "folder" in slot.desc.lower()]
    into = [span for span in found if span.marker in INTO or (span.marker in PLACING and len(found) > 1)]
    if slots and slots[0].name not in given and len(into) == 1 and len(found) > 1:
        given[slots[0].name] = into[0].path
        reading.roles.append(Role(into[0].start, into[0].end, "argument", into[0].marker))
        found.remove(into[0])


def _refuse_destination(found: Sequence[Span]) -> None:
    """Refuse a place to put things, where the capability puts nothing anywhere: "add x to y". Raises NotFitting."""
    placed = [span for span in found if span.marker in INTO]
    if placed and len(placed) < len(found):
        raise NotFitting(f"it puts nothing into {placed[0].path}")


def _list_targets(reading: RequestReading, capability: ToolCapability, found: Sequence[Span]) -> list[str]:
    """List the targets, in order; names are looked up in the given folder."""
    makes = any(slot.effect is Effect.WRITES for slot in _path_slots(capability, Category.TARGET))
    if makes and any(span.marker in _FROM for span in found):
        raise NotFitting("it makes new things, and of nothing")
    holders = [span for span in found if span.marker in _HOLDING and is_folder_like(reading, span)]
    named = [span for span in found if span not in holders]
    takes_folders = not capability.destructive and any(
        "folder" in slot.desc.lower() for slot in _path_slots(capability, Category.TARGET)
    )
    alone = not named or len(holders) != 1 or any(span.marker == holders[0].marker for span in named)
    if alone and _hold_kinds(holders, named, capability):
        alone = False
    reading.roles += [
        Role(each.start, each.end, "target" if alone or each in named else "holder", each.marker) for each in found
    ]
    if not named:
        return [span.path for span in holders]
    if alone:
        rest = [span for span in found if not span.is_all]
        if rest and len(rest) < len(found) and not _is_harmed(capability):
            return [span.path for span in rest]  # "everything from release.tgz": what is in it
        if len(rest) < len(found):
            raise NotFitting("which folder's files are meant by all of them isn't said")
        return [span.path for span in found]
    if len(holders) > 1:
        return (
            [posixpath.join(holder.path, span.path) for holder in holders for span in named]
            if not takes_folders
            else [holder.path for holder in holders]
        )
    holder = holders[0]
    if takes_folders and all(span.is_kind or span.is_all for span in named):
        suffixes = {get_extension(span.path) for span in named if span.is_kind}
        each = len(named) == 1 and named[0].is_every and _is_flat(reading, holder.path, *suffixes)
        if not suffixes or (not each and {f".{suffix}" for suffix in suffixes} <= set(capability.domain.extensions)):
            return [holder.path]
    paths = []
    for span in named:
        if "/" in span.path.rstrip("/") and not is_pattern(span.path):
            raise NotFitting(f"{span.path} is not a name in {holder.path}")
        paths.append(posixpath.join(holder.path, span.path) if holder.path != "." else span.path)
    return paths


def _hold_kinds(holders: Sequence[Span], named: Sequence[Span], capability: ToolCapability) -> bool:
    """Whether several folders hold one kind of files: "all python files in src and tests"."""
    if len(holders) < 2 or len(named) != 1 or not named[0].is_kind or named[0].start > holders[0].start:
        return False
    own = f".{get_extension(named[0].path)}" in capability.domain.extensions
    return len({span.marker for span in holders}) == 1 and (own or capability.domain.match_any)


def _is_flat(reading: RequestReading, folder: str, suffix: str) -> bool:
    """Whether all files of a kind below a folder are directly in it with one extension, so that a pattern is enough."""
    alike = {suffix} | set().union(*(group for name, group in KINDS.items() if FORMATS.get(name) == suffix))
    inside = [path for path in reading.around.files(folder) if get_extension(path) in alike]
    return bool(inside) and all(
        posixpath.dirname(path) == posixpath.normpath(folder) and get_extension(path) == suffix for path in inside
    )


def _is_harmed(capability: ToolCapability) -> bool:
    """Whether targets are removed or changed."""
    return any(
        resolve_effect(capability, slot) in {Effect.REMOVES, Effect.CHANGES}
        for slot in _path_slots(capability, Category.TARGET)
    )


def _expand_folders(reading: RequestReading, capability: ToolCapability, targets: Sequence[str]) -> list[str]:
    """Replace folders that the tool doesn't accept by the files in them that belong to its domain."""
    slots = _path_slots(capability, Category.TARGET)
    if not slots or capability.domain.match_any or "folder" in slots[0].desc.lower() or capability.destructive:
        return list(targets)
    found: list[str] = []
    for path in targets:
        inside = reading.around.files(path) if reading.around.is_folder(path) else ()
        own = [name for name in inside if f".{get_extension(name)}" in capability.domain.extensions]
        reading.inside = reading.inside or bool(own)
        found += own or [path]
    return found


def _refuse_name_taken(reading: RequestReading, path: str, targets: Sequence[str]) -> None:
    """Refuse a new name that something has already: it would be written over, or be moved into. Raises NotMeant."""
    folder = posixpath.dirname(targets[0].rstrip("/")) if targets and "/" not in path.rstrip("/") else ""
    taken = posixpath.join(folder, path.rstrip("/"))
    if reading.around.exists(taken):
        raise NotMeant(f"there is {taken} already: 'move' puts things into a folder, or over a file")


def _is_writable_format(capability: ToolCapability, suffix: str) -> bool:
    """Whether a format is of the same kind as the capability's files: a picture can't become a song."""
    known = capability.domain.extensions
    kinds = [KINDS[name] for name in ("picture", "video", "audio", "document", "archive") if suffix in KINDS[name]]
    return not known or not kinds or any(f".{each}" in known for kind in kinds for each in kind)


def _fill_destination(  # noqa: PLR0917 - called once
    reading: RequestReading,
    capability: ToolCapability,
    slot: Slot,
    into: Span | None,
    suffix: str | None,
    targets: Sequence[str],
    given: dict[str, object],
) -> None:
    looped = capability.loop_slot is not None
    names = derive_destinations(targets, suffix, looped=looped) if suffix is not None and targets else None
    if names and suffix and not _is_writable_format(capability, suffix):
        raise NotFitting(f"it writes no {suffix}")
    if into is None:
        if names:
            given[slot.name] = names if len(names) > 1 else names[0]
        return
    path = into.path
    if suffix is not None and get_extension(path) not in {"", suffix} and not is_folder_like(reading, into):
        raise NotFitting(f"it asks for {suffix}, and the result is called {path}")
    if slot.same_folder and has_trigger(reading, slot.same_folder):
        _refuse_name_taken(reading, path, targets)
    if slot.same_folder and has_trigger(reading, slot.same_folder) and "/" not in path:
        if len(targets) != 1 or is_pattern(targets[0]):
            raise NotFitting("a new name is for one file")
        given[slot.name] = posixpath.join(posixpath.dirname(targets[0].rstrip("/")), path)
        return
    folder = is_folder_like(reading, into)
    if is_pattern(path) and not looped:
        raise NotMeant(f"{path} is a pattern, and no place to write to")
    if reading.around.exists(path) and get_extension(path) in KINDS["archive"] and into.marker in INTO | PLACING:
        raise NotMeant(f"{path} is there: it would be written anew, and nothing put into it")
    if names and folder:
        put = [posixpath.join(path, posixpath.basename(name)) for name in names]
        given[slot.name] = put if len(put) > 1 else put[0]
        return
    if looped and folder and not path.endswith("/"):
        path += "/"
    given[slot.name] = path
