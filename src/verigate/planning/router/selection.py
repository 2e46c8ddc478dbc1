"""Which capability a request means, by intent, by a forced adapter, and by how well its spans fill the slots.

Source: the first source document, "Capability Selection". Whatever isn't clear is refused with what is missing: two
capabilities that fit as well, two intents in one request, a word that nothing accounts for, a path that isn't there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from verigate.domain.tool.effects import effect_of
from verigate.domain.tool.model import Category, Effect, SlotType, Tool
from verigate.planning.router import intents
from verigate.planning.router.fitting import Fit, fit
from verigate.planning.router.reading import Surroundings
from verigate.planning.router.vocabulary import JOINING, LIGHT
from verigate.planning.router.words import MAX_REQUEST, Token, stems, tokens

_NO_TEXT = re.compile("[\0\ud800-\udfff]")

MARGIN = 0.04
"""Two candidates whose confidence differs by less are not told apart."""


class Catalogue(Protocol):
    """The tools that there are."""

    @property
    def aliases(self) -> Mapping[str, Sequence[int]]:
        """Alias in lower case -> numbers of tools."""

    @property
    def triggers(self) -> Sequence[str]:
        """Every trigger."""

    def having(self, stems: Iterable[str]) -> list[int]:
        """The numbers of the tools with a trigger that begins with one of these stems."""

    def tool(self, number: int) -> Tool:
        """One tool."""

    def file(self, number: int) -> str:
        """The file that declares it."""

    def is_trusted(self, number: int) -> bool:
        """Whether the user chose it."""


class Selection(NamedTuple):
    """What a request means: ``chosen``, or why that can't be said (``problem``) and what to try (``hint``).

    ``fits`` are all candidates, the best first; ``forced`` is the alias that was asked for. ``rivals`` fit as well as
    the best: whoever asks can choose among them.
    """

    request: str
    fits: tuple[Fit, ...] = ()
    chosen: Fit | None = None
    problem: str | None = None
    hint: str | None = None
    forced: str | None = None
    rivals: tuple[Fit, ...] = ()
    is_trusted: bool = True


def select(request: str, catalogue: Catalogue, around: Surroundings, using: str | None = None) -> Selection:
    """The capability that a request means, and what fills its slots. ``using`` is an alias that is forced."""
    if len(request) > MAX_REQUEST or _NO_TEXT.search(request) is not None:
        return Selection(request, problem=f"a request is text of at most {MAX_REQUEST} characters, without NUL")
    read = tokens(request)
    if not read:
        return Selection(request, problem="it says nothing", hint="say what to do with which files")
    if (why := intents.refusal(read)) is not None:
        return Selection(request, problem=why, hint="say what to do, in one sentence")
    read, alias = intents.forced(read, catalogue.aliases)
    if using is not None:
        known = catalogue.aliases.get(using.lower())
        if known is None:
            problem, hint = f"no adapter is called {using!r}", _did_you_mean(using, catalogue.aliases)
            return Selection(request, problem=problem, hint=hint, forced=using)
        if alias is not None and not set(known) & set(catalogue.aliases[alias]):
            return Selection(request, problem=f"the words say {alias}, and --using says {using}", forced=using)
        alias = using.lower()
    return _selected(request, read, alias, catalogue, around)


def _selected(
    request: str, read: Sequence[Token], alias: str | None, catalogue: Catalogue, around: Surroundings
) -> Selection:
    fits, trusted = _candidates(read, alias, catalogue, around)
    if not fits:
        return _without_candidates(request, read, alias, catalogue)
    standing = [each for each in fits if each.fell is None]
    if not standing:
        return _none_stands(Selection(request, fits, forced=alias), read, catalogue)
    best = standing[0]
    rivals = tuple(each for each in standing if best.confidence - each.confidence < MARGIN)
    if len(rivals) > 1 and not _same(rivals):
        names = ", ".join(each.name for each in rivals)
        hint = f"say which: using {' or using '.join(dict.fromkeys(each.tool.alias for each in rivals))}"
        if len({each.tool.alias for each in rivals}) == 1:
            hint = "say it in words that only one of them has; --explain shows what each goes by"
        return Selection(request, fits, None, f"it can mean {names}", hint, alias, rivals)
    if (others := _as_well(best, fits)) is not None:
        names = ", ".join(each.name for each in (best, *others))
        return Selection(request, fits, None, f"it can mean {names}", "say which files are meant", alias)
    if (second := _again(best, read)) is not None:
        problem = f"it asks for two things: {best.capability.name}, and {second}"
        return Selection(request, fits, None, problem, "say one at a time", alias)
    selection = Selection(request, fits, best, forced=alias, is_trusted=trusted[best.name])
    return _with_paths(selection, best, around)


def _same(rivals: Sequence[Fit]) -> bool:
    first = rivals[0]
    return all(each.tool == first.tool and each.capability == first.capability for each in rivals)


def _candidates(
    read: Sequence[Token], alias: str | None, catalogue: Catalogue, around: Surroundings
) -> tuple[tuple[Fit, ...], dict[str, bool]]:
    """Every capability with a trigger in the request, of the forced adapter if there is one; the best first."""
    heads = {stem for token in read if token.kind == "word" for stem in _heads(token)}
    numbers = catalogue.having(sorted(heads))
    if alias is not None:
        numbers = [number for number in numbers if number in catalogue.aliases[alias]]
    verb = intents.leading_verb(read)
    found: list[Fit] = []
    tools = [(number, catalogue.tool(number)) for number in numbers]
    wanted = [
        (number, tool, capability, places)
        for number, tool in tools
        for capability in tool.capabilities
        if (places := intents.triggered(capability, read))
    ]
    verbs = frozenset(place for *_, places in wanted for place in places)
    trusted: dict[str, bool] = {}
    for number, tool, capability, places in wanted:
        literal = intents.is_literal(capability, read, places)
        each = fit(
            tool,
            capability,
            read,
            places,
            around,
            leading=verb in places,
            literal=literal,
            intents=verbs,
            origin=catalogue.file(number),
        )
        trusted[each.name] = trusted.get(each.name, True) and catalogue.is_trusted(number)
        found.append(each)
    ordered = sorted(found, key=lambda each: (each.fell is not None, -each.confidence, each.name, each.origin))
    return tuple(ordered), trusted


def _heads(token: Token) -> tuple[str, ...]:
    return (token.stem, *stems(token.text)[:1])


def _did_you_mean(word: str, known: Iterable[str]) -> str | None:
    from verigate.planning.router.suggestion import near

    likely = near(word, known)
    return f"did you mean {' or '.join(likely)}?" if likely else None


def _without_candidates(request: str, read: Sequence[Token], alias: str | None, catalogue: Catalogue) -> Selection:
    place = intents.leading_verb(read)
    word = read[place].text if place < len(read) else request.strip()
    if alias is not None:
        does = sorted(
            {
                f"{each.name} ({', '.join(each.triggers[:3])})"
                for n in catalogue.aliases[alias]
                for each in catalogue.tool(n).capabilities
            }
        )
        return Selection(
            request,
            problem=f"{alias} has nothing that these words ask for",
            hint=f"it can: {'; '.join(does)}",
            forced=alias,
        )
    hint = (
        _did_you_mean(word, catalogue.triggers) or "gate adapters shows what there is, docs/do.md how it is asked for"
    )
    return Selection(request, problem=f"no adapter knows what {word!r} asks for", hint=hint)


def _none_stands(selection: Selection, read: Sequence[Token], catalogue: Catalogue) -> Selection:
    """Say of the candidate that came nearest what is missing."""
    nearest = max(selection.fits, key=lambda each: (each.confidence, -len(each.missing), each.name))
    if (second := _second_intent(nearest, read, catalogue)) is not None:
        problem = f"it asks for two things: {nearest.capability.name}, and {second}"
        return selection._replace(problem=problem, hint="say one at a time")
    problem = f"{nearest.name}: {nearest.fell}"
    hint = None
    if nearest.missing:
        slot = nearest.capability.slot(nearest.missing[0])
        hint = f"say it too: {slot.desc[:1].lower()}{slot.desc[1:]}"
    elif nearest.unread:
        hint = "leave it out if it says nothing of what to do, put what is a name into quotes; --explain shows more"
        before = _using(read, nearest.unread)
        if before is not None:
            problem = f"no adapter is called {before!r}"
            hint = _did_you_mean(before, catalogue.aliases) or f"known: {', '.join(sorted(catalogue.aliases))}"
    return selection._replace(problem=problem, hint=hint)


def _again(best: Fit, read: Sequence[Token]) -> str | None:
    """A second verb of the same capability: "move a to b and rename it" is more than one move."""
    places = intents.triggered(best.capability, read)
    for place in places[1:]:
        before = place - 1
        while before > 0 and read[before].text.lower() in {"also", "please"}:
            before -= 1
        if read[before].text.lower() in JOINING and place - 1 not in places:
            return read[place].text
    return None


def _as_well(best: Fit, fits: Sequence[Fit]) -> tuple[Fit, ...] | None:
    """Those that lack nothing but files, where the best has files only because its adapter has a default for them."""
    if any(slot.name in best.given for slot in best.capability.of(Category.TARGET)):
        return None
    found = []
    for each in fits:
        files = {slot.name for slot in each.capability.of(Category.TARGET)}
        if (
            each.missing
            and set(each.missing) <= files
            and not each.unread
            and best.confidence - each.confidence < MARGIN
        ):
            found.append(each)
    return tuple(found) or None


def _using(read: Sequence[Token], unread: Sequence[str]) -> str | None:
    for place, token in enumerate(read[:-1]):
        if token.text.lower() == "using" and read[place + 1].raw in unread:
            return read[place + 1].text
    return None


def _second_intent(nearest: Fit, read: Sequence[Token], catalogue: Catalogue) -> str | None:
    """A trigger after "and", "then" or a comma that the nearest candidate has no use for."""
    for place, token in enumerate(read):
        if token.raw not in nearest.unread or place == 0 or token.kind != "word" or token.text.lower() in LIGHT:
            continue
        before = place - 1
        while before > 0 and read[before].text.lower() in {"also", "please", "then"} - JOINING:
            before -= 1
        if read[before].text.lower() in JOINING and catalogue.having(_heads(token)):
            return token.text
    return None


def _with_paths(selection: Selection, best: Fit, around: Surroundings) -> Selection:
    """The selection, refused if a file that it needs isn't there, or a folder to write into is a slip of one."""
    from verigate.planning.router import suggestion

    for slot in best.capability.slots:
        if slot.type is not SlotType.FILEPATH or slot.name not in best.given:
            continue
        value = best.given[slot.name]
        paths = [str(item) for item in (value if isinstance(value, list) else [value])]
        if slot.category is Category.DESTINATION or effect_of(best.capability, slot) is Effect.WRITES:
            wrong = _not_written(paths, around) if slot.category is Category.DESTINATION else None
        else:
            wrong = next(iter(suggestion.missing_paths(paths, around)), None)
        if wrong is not None:
            likely = suggestion.near_path(wrong, around)
            hint = f"did you mean {likely}?" if likely else "look at the name, and at the folder that this is run in"
            if slot.category is Category.DESTINATION and likely:
                hint += f" A new name is written ./{wrong}"
            return selection._replace(chosen=None, problem=f"there is no {wrong}", hint=hint)
    return selection


def _not_written(paths: Sequence[str], around: Surroundings) -> str | None:
    """A destination whose folder isn't there, or one that may be a slip of a folder that is."""
    from verigate.planning.router import suggestion

    for path in paths:
        folder = path if path.endswith("/") else path.rpartition("/")[0]
        if folder and not around.is_folder(folder):
            return folder
        bare = "/" not in path and "." not in path
        if bare and not around.exists(path):
            likely = suggestion.near_path(path, around)
            if likely is not None and around.is_folder(likely):
                return path
    return None
