"""Select the capability that a request means, by intent, by a named adapter, and by how well it fills the slots.

Source: the first source document, "Capability Selection". Whatever isn't clear is refused with what is missing: two
capabilities that fit as well, two intents in one request, a word that nothing accounts for, a path that isn't there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from verigate.requests import intents, named_adapter, refusals
from verigate.requests.fitting import Fit, fit_capability
from verigate.requests.folder_targets import find_missing_folder, find_unannounced_folder
from verigate.requests.outcome import Catalogue, Selection
from verigate.requests.politeness import strip_politeness
from verigate.requests.reading import Surroundings
from verigate.requests.tokenizer import MAX_REQUEST, Token, tokenize
from verigate.requests.vocabulary import INTO, JOINING, PLACING
from verigate.tools.effects import resolve_effect
from verigate.tools.model import Category, Effect, SlotType, Tool, ToolCapability

_NO_TEXT = re.compile("[\0\ud800-\udfff]")

MARGIN = 0.04
"""Two candidates whose confidence differs by less are equal."""


def route_request(request: str, catalogue: Catalogue, around: Surroundings, using: str | None = None) -> Selection:
    """Route a request to a capability and fill its slots. ``using`` is the alias of a required adapter."""
    if len(request) > MAX_REQUEST or _NO_TEXT.search(request) is not None:
        return Selection(request, problem=f"a request is text of at most {MAX_REQUEST} characters, without NUL")
    plain = strip_politeness(tokenize(request), around)
    if not plain:
        return Selection(request, problem="it says nothing", hint="say what to do with which files")
    selection = _route_tokens(request, plain, catalogue, around, using)
    if selection.chosen is not None or selection.rivals:
        return selection
    from verigate.requests.wordings.putting import put_as_order

    put = put_as_order(plain, around)
    if put.tokens == plain:
        return selection
    again = _route_tokens(request, put.tokens, catalogue, around, using, looks=put.looks)
    return again if again.chosen is not None or again.rivals or not selection.fits else selection


def _route_tokens(
    request: str,
    plain: Sequence[Token],
    catalogue: Catalogue,
    around: Surroundings,
    using: str | None,
    *,
    looks: bool = False,
) -> Selection:
    read, asked = intents.strip_inquiry(plain)
    looks = looks or asked or intents.is_show_request(read)
    if (why := intents.find_refusal(read)) is not None:
        return Selection(request, problem=why, hint="say what to do, in one sentence")
    read, alias = intents.extract_forced_alias(read, catalogue.aliases)
    if using is not None:
        known = catalogue.aliases.get(using.lower())
        if known is None:
            return refusals.refuse_unknown_adapter(Selection(request, forced=using), using, catalogue)
        if alias is not None and not set(known) & set(catalogue.aliases[alias]):
            return Selection(request, problem=f"the words say {alias}, and --using says {using}", forced=using)
        alias = using.lower()
    return _select(request, read, alias, catalogue, around, looks=looks)


def _select(
    request: str,
    read: Sequence[Token],
    alias: str | None,
    catalogue: Catalogue,
    around: Surroundings,
    *,
    looks: bool,
) -> Selection:
    fits, trusted = _list_candidates(read, alias, catalogue, around, looks=looks)
    if not fits:
        meant = _select_named(request, read, alias, catalogue, around)
        return meant or refusals.refuse_without_candidates(request, read, alias, catalogue)
    standing = [each for each in fits if each.fell is None]
    if not standing:
        # "run ripgrep for TODO in archive": the last word is what another tool does, and here a folder.
        meant = _select_named(request, read, alias, catalogue, around) if alias is None else None
        understood = meant is not None and (meant.chosen is not None or meant.rivals)
        refused = refusals.refuse_misfits(Selection(request, fits, forced=alias), read, catalogue, around)
        return meant if meant is not None and understood else refused
    standing = _drop_searches_for_triggers(standing)
    best = standing[0]
    rivals = tuple(each for each in standing if best.confidence - each.confidence < MARGIN)
    if len(rivals) > 1 and not _is_same(rivals):
        return refusals.refuse_ambiguous(request, fits, alias, rivals)
    if (others := _list_equal_fits(best, fits)) is not None:
        names = ", ".join(each.name for each in (best, *others))
        return Selection(request, fits, None, f"it can mean {names}", "say which files are meant", alias)
    if (second := _find_repeated_verb(best, read)) is not None:
        problem = f"it asks for two things: {best.capability.name}, and {second}"
        return Selection(request, fits, None, problem, "say one at a time", alias)
    selection = Selection(request, fits, best, forced=alias, is_trusted=trusted[best.name])
    return _check_paths(selection, best, around)


def _select_named(
    request: str, read: Sequence[Token], alias: str | None, catalogue: Catalogue, around: Surroundings
) -> Selection | None:
    """Select by an adapter's name alone; None if none is named."""
    places: tuple[int, ...] = ()
    if alias is None:
        found = named_adapter.find_named_adapter(read, catalogue.aliases)
        if found is None or _is_verb(found[1], catalogue):
            return None  # "convert photos to png" asks for no check of ImageMagick, whose program is called so
        places, alias, other = found
        if other is not None:
            return Selection(request, problem=f"it asks for two things: {alias}, and {other}", hint="say one at a time")
    wanted = [
        (number, tool, capability, places)
        for number in catalogue.aliases[alias]
        for tool in (catalogue.tool(number),)
        for capability in tool.capabilities
        if named_adapter.is_read_only(capability)
    ]
    fits, trusted = _fit_all(
        wanted, read, leading_verb=places[-1] if places else -1, catalogue=catalogue, around=around
    )
    standing = [each for each in fits if each.fell is None]
    if not standing:
        said = places or any(each.missing and not each.unread for each in fits)
        if not fits or not said:
            return refusals.refuse_without_candidates(request, read, alias, catalogue)
        return refusals.refuse_misfits(Selection(request, fits, forced=alias), read, catalogue, around)
    best, *others = named_adapter.select_checks(standing, MARGIN)
    if others:
        return refusals.refuse_ambiguous(request, fits, alias, (best, *others))
    selection = Selection(request, fits, best, forced=alias, is_trusted=trusted[best.name])
    return _check_paths(selection, best, around)


def _find_writing_verb(best: Fit, read: Sequence[Token]) -> str | None:
    """Find a verb after "and" by which the same tool would write: "check and format x" isn't a check alone."""
    writing = {
        trigger.lower()
        for capability in best.tool.capabilities
        if not named_adapter.is_read_only(capability)
        for trigger in capability.triggers
    }
    return next(
        (
            token.text
            for before, token in pairwise(read)
            if before.text.lower() in {"and", "then"} and token.text.lower() in writing
        ),
        None,
    )


def _drop_searches_for_triggers(standing: Sequence[Fit]) -> list[Fit]:
    """Drop searches for a word that says what another candidate looks for: "find secrets in src"."""
    kept = []
    for each in standing:
        others = {
            trigger.lower()
            for other in standing
            if other.tool != each.tool and other.capability.report is not None
            for trigger in other.capability.triggers
        }
        texts = [
            str(each.given[slot.name]).lower().split()
            for slot in each.capability.slots_of(Category.CONSTRAINT)
            if slot.required and slot.type is SlotType.STRING and slot.name in each.given
        ]
        if not any(others.intersection(words) for words in texts):
            kept.append(each)
    return kept or list(standing)


def _is_verb(alias: str, catalogue: Catalogue) -> bool:
    """Whether a tool's name is also what it is asked for where it writes."""
    return any(
        alias in {trigger.lower() for trigger in capability.triggers} and not named_adapter.is_read_only(capability)
        for number in catalogue.aliases[alias]
        for capability in catalogue.tool(number).capabilities
    )


def _is_same(rivals: Sequence[Fit]) -> bool:
    first = rivals[0]
    return all(each.tool == first.tool and each.capability == first.capability for each in rivals)


def _list_candidates(
    read: Sequence[Token], alias: str | None, catalogue: Catalogue, around: Surroundings, *, looks: bool
) -> tuple[tuple[Fit, ...], dict[str, bool]]:
    """Every capability with a trigger in the request, of the forced adapter if there is one; the best first.

    ``looks``: of those only what changes nothing, because that is all that is asked.
    """
    heads = {stem for token in read if token.kind == "word" for stem in refusals.list_trigger_stems(token)}
    numbers = catalogue.find_by_stems(sorted(heads))
    if alias is not None:
        numbers = [number for number in numbers if number in catalogue.aliases[alias]]
    tools = [(number, catalogue.tool(number)) for number in numbers]
    wanted = [
        (number, tool, capability, places)
        for number, tool in tools
        for capability in tool.capabilities
        if (not looks or named_adapter.is_read_only(capability))
        and (places := _drop_places(intents.find_triggers(capability, read), capability, read, around))
    ]
    return _fit_all(wanted, read, leading_verb=intents.find_leading_verb(read), catalogue=catalogue, around=around)


def _drop_places(
    places: tuple[int, ...], capability: ToolCapability, read: Sequence[Token], around: Surroundings
) -> tuple[int, ...]:
    """Drop triggers that only name something here: "in logs" asks for no log."""
    literal = {word for trigger in capability.triggers for word in trigger.lower().split()}
    return tuple(place for place in places if not (place and _is_place(read, place, literal, around)))


def _is_place(read: Sequence[Token], place: int, literal: set[str], around: Surroundings) -> bool:
    """Whether a trigger is the name of something here: after "in", or in another form than the trigger's."""
    word = read[place].text.lower()
    return (read[place - 1].text.lower() in _PLACED or word not in literal) and around.exists(read[place].text)


_PLACED = PLACING | INTO | {"from", "of"}


def _fit_all(
    wanted: Sequence[tuple[int, Tool, ToolCapability, tuple[int, ...]]],
    read: Sequence[Token],
    *,
    leading_verb: int,
    catalogue: Catalogue,
    around: Surroundings,
) -> tuple[tuple[Fit, ...], dict[str, bool]]:
    """Fit candidates (number of the tool, tool, capability, tokens); also return which of them the user trusts."""
    found: list[Fit] = []
    verbs = frozenset(place for *_, places in wanted for place in places)
    trusted: dict[str, bool] = {}
    for number, tool, capability, places in wanted:
        literal = intents.is_literal(capability, read, places)
        each = fit_capability(
            tool,
            capability,
            read,
            places,
            around,
            leading=leading_verb in places,
            literal=literal,
            intents=verbs,
            origin=catalogue.file(number),
        )
        trusted[each.name] = trusted.get(each.name, True) and catalogue.is_trusted(number)
        found.append(each)
    ordered = sorted(found, key=lambda each: (each.fell is not None, -each.confidence, each.name, each.origin))
    return tuple(ordered), trusted


def _find_repeated_verb(best: Fit, read: Sequence[Token]) -> str | None:
    """Find a second verb of the same capability: "move a to b and rename it" is more than one move."""
    places = intents.find_triggers(best.capability, read)
    if named_adapter.is_read_only(best.capability) and (second := _find_writing_verb(best, read)) is not None:
        return second
    for place in places[1:]:
        before = place - 1
        while before > 0 and read[before].text.lower() in {"also", "please"}:
            before -= 1
        if read[before].text.lower() in JOINING and place - 1 not in places:
            return read[place].text
    return None


def _list_equal_fits(best: Fit, fits: Sequence[Fit]) -> tuple[Fit, ...] | None:
    """List candidates that lack only files, if the best has files only by its adapter's default; else None."""
    if any(slot.name in best.given for slot in best.capability.slots_of(Category.TARGET)):
        return None
    found = []
    for each in fits:
        files = {slot.name for slot in each.capability.slots_of(Category.TARGET)}
        if (
            each.missing
            and set(each.missing) <= files
            and not each.unread
            and best.confidence - each.confidence < MARGIN
        ):
            found.append(each)
    return tuple(found) or None


def _check_paths(selection: Selection, best: Fit, around: Surroundings) -> Selection:
    """Refuse the selection if a required file is missing, or a destination's folder looks like a typo."""
    from verigate.requests import suggestion

    if (folder := find_unannounced_folder(best.capability, best.given, around)) is not None:
        path, slot = folder
        hint = f"say {slot.keywords[0]!r} too, if that is meant: {slot.desc[:1].lower()}{slot.desc[1:]}"
        return selection._replace(chosen=None, problem=f"{path} is a folder", hint=hint)
    if (place := find_missing_folder(best.capability, best.given, around)) is not None:
        problem = f"several files need a folder as destination, and {place} isn't one"
        return selection._replace(chosen=None, problem=problem, hint=f"make it first: gate do 'make folder {place}'")
    for slot in best.capability.slots:
        if slot.type is not SlotType.FILEPATH or slot.name not in best.given:
            continue
        value = best.given[slot.name]
        paths = [str(item) for item in (value if isinstance(value, list) else [value])]
        if slot.category is Category.DESTINATION or resolve_effect(best.capability, slot) is Effect.WRITES:
            wrong = _find_bad_destination(paths, around) if slot.category is Category.DESTINATION else None
        else:
            wrong = next(iter(suggestion.list_missing_paths(paths, around)), None)
        if wrong is not None:
            likely = suggestion.find_near_path(wrong, around)
            hint = f"did you mean {likely}?" if likely else "check the name, and the folder that you run this in"
            if slot.category is Category.DESTINATION and likely:
                hint += f" For a new name, write ./{wrong}"
            return selection._replace(chosen=None, problem=f"there is no {wrong}", hint=hint)
    return selection


def _find_bad_destination(paths: Sequence[str], around: Surroundings) -> str | None:
    """Find a destination whose folder is missing, or that may be a typo of an existing folder."""
    from verigate.requests import suggestion

    for path in paths:
        folder = path if path.endswith("/") else path.rpartition("/")[0]
        if folder and not around.is_folder(folder):
            return folder
        bare = "/" not in path and "." not in path
        if bare and not around.exists(path):
            likely = suggestion.find_near_path(path, around)
            if likely is not None and around.is_folder(likely):
                return path
    return None
