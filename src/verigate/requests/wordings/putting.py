"""Put the words of a request as an order: names with spaces, measures, results, then the whole by its wording."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from verigate.requests.file_formats import parse_plural
from verigate.requests.reading import Surroundings
from verigate.requests.tokenizer import Token
from verigate.requests.wordings.cells import compile_wording, flag_cells, join_cells, make_words
from verigate.requests.wordings.exceptions import list_exceptions, list_kinds
from verigate.requests.wordings.groups import Groups
from verigate.requests.wordings.measures import drop_possessives, join_units, spell_measures
from verigate.requests.wordings.orders import Wording
from verigate.requests.wordings.pronouns import resolve_pronoun
from verigate.requests.wordings.results import mark_results

_WISH = re.compile(
    r"(?:(?:please|hey|hi|hello|ok|okay|now|so) (?:, )?)*(?:"
    r"(?:i|we)(?:'d| would)? (?:really |also |just |only )?(?:need|want|like|love|prefer)(?: to "
    r"(?:have|get|see))? (?:that |just |only )?|"
    r"(?:give|get|let|show|hand) (?:me|us) (?:have |see |just |only )?|"
    r"(?:i'm|i am) after |(?:let's|let us) have |(?:i'd|i would) be (?:glad|happy|grateful) (?:to have|to get|for) |"
    r"(?:could|can|would|will) (?:you|u|i|we) (?:please |kindly |just )?(?:get |have |give |make |let )?(?:me |us )?)"
)
_ASKED = re.compile(
    r"(?:(?:please|pls|hey|hi|hello|ok|okay|kindly|now|just|so|quickly|can you|could you|would you|will you|can u|"
    r"could u|go ahead and|be so kind as to|be so good as to) (?:, )?)+"
)
_TOLD = re.compile(
    r"(?:(?:please|hey|hi|ok|okay) (?:, )?)*(?:(?:can|could|would|will) you (?:please )?)?"
    r"(?:(?:tell|show) (?:me|us)|let me know|i(?:'d like to| want to| wanna) (?:know|see)|i wonder|do you "
    r"know|say)(?= (?:what|which|who|how|where|is|are|does|do|what's)(?: |$))"
)
_ONLY_LOOK = re.compile(
    r"(?: ,| ;| \.| and| -)* (?:just (?:tell me|look|list them|show me|show them|check)|only (?:tell "
    r"me|look|list them|show them|check)|"
    r"(?:but )?(?:change|write|modify|alter|touch) nothing|(?:but )?(?:don't|do not) "
    r"(?:change|write|modify|alter|touch|fix)(?: anything)?|"
    r"without (?:changing|modifying|writing|touching|altering) (?:anything|it|them|the files?)|(?:but "
    r")?leave (?:it|them) (?:as (?:it is|they are)|alone|unchanged))$"
)
_POLITE_END = re.compile(
    r"(?:(?: ,)? (?:please|pls|plz|thanks|thank you|for me|for us|for "
    r"good|completely|entirely|permanently|now|right now|"
    r"right away|immediately))+$"
)


class Put(NamedTuple):
    """The tokens of a request put as an order, and whether it only asks to look."""

    tokens: tuple[Token, ...]
    looks: bool = False


def put_as_order(tokens: Sequence[Token], around: Surroundings) -> Put:
    """Put a request as an order. Unknown wordings are returned as they are."""
    read, looks = _strip_looking(
        _join_spaced_names(join_units(drop_possessives(_strip_end(tokens, around), around)), around)
    )
    read = spell_measures(read, join_cells(read))
    read = mark_results(read, around, join_cells(read))
    read = resolve_pronoun(read, around)
    read = _write_in_place(list_exceptions(read, around), around)
    read = list_kinds(read, around)
    for start in _list_starts(read):
        rest = read[start:]
        if (found := _match_any(rest, around)) is not None:
            return Put(found.tokens, looks or found.looks)
    return Put(read, looks)


def _strip_end(tokens: Sequence[Token], around: Surroundings) -> tuple[Token, ...]:
    """Strip what says nothing off the end: "for me", "completely"; a word that is a name here stays."""
    kept = len(_POLITE_END.sub("", join_cells(tokens)).split(" "))
    return tuple(tokens if any(around.exists(token.text) for token in tokens[kept:]) else tokens[:kept])


def _strip_looking(tokens: tuple[Token, ...]) -> tuple[tuple[Token, ...], bool]:
    """Strip "just tell me" and "change nothing" off the end: the request is then held to what only reads."""
    cells = join_cells(tokens)
    if (found := _ONLY_LOOK.search(cells)) is None:
        return tokens, False
    return tokens[: len(cells[: found.start()].split())], True


def _list_starts(tokens: Sequence[Token]) -> tuple[int, ...]:
    """List where the order may begin: at the first word, after a wish, after "tell me"."""
    cells = join_cells(tokens)
    starts = [0]
    matches = [pattern.match(cells) for pattern in (_ASKED, _TOLD, _WISH)]
    starts += [len(found.group().split()) for found in matches if found is not None and found.group()]
    return tuple(dict.fromkeys(starts))


def _join_spaced_names(tokens: Sequence[Token], around: Surroundings) -> tuple[Token, ...]:
    """Join neighbouring tokens to one name where only the whole is here: ``holiday 2024.png``."""
    found: list[Token] = []
    at = 0
    while at < len(tokens):
        joined = next((each for length in (4, 3, 2) if (each := _join_name(tokens[at : at + length], around))), None)
        found.append(joined or tokens[at])
        at += len(joined.raw.split(" ")) if joined else 1
    return tuple(found)


def _join_name(part: Sequence[Token], around: Surroundings) -> Token | None:
    """Join tokens to the name that is here, None if there is none, or if the first alone is here."""
    name = " ".join(each.raw for each in part)
    together = all(one.end + 1 == other.start for one, other in pairwise(part))
    plain = len(part) > 1 and part[-1].kind == "path" and all(each.kind in {"path", "word"} for each in part)
    if not (together and plain) or not around.exists(name) or around.exists(part[0].raw):
        return None
    return Token("quoted", name, name, name.lower(), part[0].start, part[-1].end)


_IN_PLACE = re.compile(
    r"(?: ,)?(?: and)? (?:in place|in-place|(?:overwrite|overwriting|replace|replacing) (?:it|them|the "
    r"originals?)|over the originals?)$"
)


def _write_in_place(tokens: tuple[Token, ...], around: Surroundings) -> tuple[Token, ...]:
    """Say "-> NAME" for "in place", where exactly one thing is named."""
    cells = join_cells(tokens)
    found = _IN_PLACE.search(cells)
    if found is None:
        return tokens
    kept = tokens[: len(cells[: found.start()].split())]
    named = [each for each in kept if each.kind in {"path", "quoted"}]
    kinds = [suffix for each in kept if each.kind == "word" and (suffix := parse_plural(each.text)) is not None]
    folders = [each.text for each in kept if each.kind == "word" and around.is_folder(each.text)]
    if not named and len(kinds) == len(folders) == 1:
        pattern = posixpath.join(folders[0], f"*.{kinds[0]}")
        named = [Token("path", pattern, pattern, pattern, kept[0].start, kept[0].start)]
    if len(named) != 1 or not around.expand(named[0].text):
        return tokens
    return (*kept, *make_words("->", named[0].start), named[0])


def _match_any(tokens: Sequence[Token], around: Surroundings) -> Put | None:
    cells = flag_cells(tokens, around)
    for wording in _list_wordings():
        found = compile_wording(wording.pattern).fullmatch(cells)
        order = _build(wording, found, tokens, around) if found is not None else None
        if order is not None:
            return Put(order, wording.looks)
    return None


@cache
def _list_wordings() -> tuple[Wording, ...]:
    from verigate.requests.wordings.more_orders import MORE_ORDERS
    from verigate.requests.wordings.orders import ORDERS
    from verigate.requests.wordings.questions import QUESTIONS

    return (*ORDERS, *MORE_ORDERS, *QUESTIONS)


def _build(
    wording: Wording, match: re.Match[str], tokens: Sequence[Token], around: Surroundings
) -> tuple[Token, ...] | None:
    """Return the tokens of the order, None if a group isn't what its name says."""
    groups = Groups(match, tokens, around, wording)
    if not groups.are_meant():
        return None
    made: list[Token] = []
    for part in wording.order.split():
        words = groups.fill(part)
        if words is None:
            return None
        made += words
    return tuple(made)
