"""Explain why a request is refused: what is missing, and what to try."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from verigate.requests import intents
from verigate.requests.fitting import Fit
from verigate.requests.outcome import Catalogue, Selection
from verigate.requests.reading import Surroundings
from verigate.requests.tokenizer import Token, stem_text
from verigate.requests.vocabulary import JOINING, LIGHT
from verigate.tools.model import SlotType


def list_trigger_stems(token: Token) -> tuple[str, ...]:
    """List the stems by which a word may match a trigger."""
    return (
        token.stem,
        *stem_text(token.text)[:1],
        *(stem_text(token.text.replace("-", "")) if "-" in token.text else ()),
    )


def suggest_word(word: str, known: Iterable[str]) -> str | None:
    """Return a hint with the words that ``word`` may be a typo of, None if none is similar."""
    from verigate.requests.suggestion import find_near_words

    likely = find_near_words(word, known)
    return f"did you mean {' or '.join(likely)}?" if likely else None


def refuse_unknown_adapter(selection: Selection, name: str, catalogue: Catalogue) -> Selection:
    """Refuse an unknown adapter: name similar ones, or all."""
    hint = suggest_word(name, catalogue.aliases) or f"known: {', '.join(sorted(catalogue.aliases))}"
    return selection._replace(problem=f"no adapter is called {name!r}", hint=hint)


def refuse_ambiguous(request: str, fits: tuple[Fit, ...], alias: str | None, rivals: Sequence[Fit]) -> Selection:
    """Refuse a request that several capabilities fit equally well."""
    names = ", ".join(each.name for each in rivals)
    hint = f"say which: using {' or using '.join(dict.fromkeys(each.tool.alias for each in rivals))}"
    if len({each.tool.alias for each in rivals}) == 1:
        words = ", ".join(f"{each.capability.triggers[0]!r}" for each in rivals)
        hint = f"use words that only one of them has ({words}); gate adapters show {rivals[0].name} lists those of one"
    return Selection(request, fits, None, f"it can mean {names}", hint, alias, tuple(rivals))


def refuse_without_candidates(
    request: str, read: Sequence[Token], alias: str | None, catalogue: Catalogue
) -> Selection:
    """Refuse a request without a trigger of any capability."""
    place = intents.find_leading_verb(read)
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
        suggest_word(word, (*catalogue.triggers, *catalogue.aliases))
        or "run gate adapters to list them; see docs/do.md for how to ask"
    )
    return Selection(request, problem=f"no adapter knows what {word!r} asks for", hint=hint)


def refuse_misfits(
    selection: Selection, read: Sequence[Token], catalogue: Catalogue, around: Surroundings
) -> Selection:
    """Refuse a request that no candidate fits: say what the best one lacks."""
    nearest = max(selection.fits, key=lambda each: (each.confidence, -len(each.missing), each.name))
    if (second := _find_second_intent(nearest, read, catalogue)) is not None:
        problem = f"it asks for two things: {nearest.capability.name}, and {second}"
        return selection._replace(problem=problem, hint="say one at a time")
    problem = f"{nearest.name}: {nearest.fell}"
    hint = None
    if nearest.missing:
        slot = nearest.capability.get_slot(nearest.missing[0])
        if slot.type is SlotType.FILEPATH and (slip := _find_slip(nearest, around)) is not None:
            word, likely = slip
            return selection._replace(problem=f"there is no {word}", hint=f"did you mean {likely}?")
        hint = f"say it too: {slot.desc[:1].lower()}{slot.desc[1:]}"
    elif nearest.unread:
        hint = f"leave the word out, or put a name into quotes; gate adapters show {nearest.name} lists the known words"
        before = _find_using(read, nearest.unread)
        if before is not None:
            return refuse_unknown_adapter(selection, before, catalogue)
    return selection._replace(problem=problem, hint=hint)


def _find_slip(nearest: Fit, around: Surroundings) -> tuple[str, str] | None:
    """Find an unused word that may be a typo of an existing name; return both."""
    from verigate.requests.suggestion import find_near_path

    for word in nearest.unread:
        if len(word) > 2 and (likely := find_near_path(word, around)) is not None:
            return word, likely
    return None


def _find_using(read: Sequence[Token], unread: Sequence[str]) -> str | None:
    for place, token in enumerate(read[:-1]):
        if token.text.lower() == "using" and read[place + 1].raw in unread:
            return read[place + 1].text
    return None


def _find_second_intent(nearest: Fit, read: Sequence[Token], catalogue: Catalogue) -> str | None:
    """Find a trigger after "and", "then" or a comma that the best candidate doesn't use."""
    for place, token in enumerate(read):
        if token.raw not in nearest.unread or place == 0 or token.kind != "word" or token.text.lower() in LIGHT:
            continue
        before = place - 1
        while before > 0 and read[before].text.lower() in {"also", "please", "then"} - JOINING:
            before -= 1
        if read[before].text.lower() in JOINING and catalogue.find_by_stems(list_trigger_stems(token)):
            return token.text
    return None
