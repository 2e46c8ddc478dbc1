"""Put the words of a request as an order: names with spaces, measures, results, then the whole by its wording."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from verigate.requests.file_formats import get_extension, parse_format, parse_plural
from verigate.requests.reading import Surroundings
from verigate.requests.tokenizer import Token
from verigate.requests.vocabulary import DANGEROUS, KINDS, LIGHT, NEGATIONS, split_words
from verigate.requests.wordings.cells import compile_wording, flag_cells, join_cells, list_group, make_words
from verigate.requests.wordings.measures import spell_measures
from verigate.requests.wordings.orders import VERBS, Wording
from verigate.requests.wordings.results import mark_results
from verigate.requests.wordings.exceptions import list_exceptions
from verigate.requests.wordings.pronouns import resolve_pronoun

_CONVERTIBLE = KINDS["picture"] | KINDS["video"] | KINDS["audio"] | KINDS["document"] | {"txt", "pptx"}
_PACKED = {
    "xz": (".xz", ".txz"), "gz": (".gz", ".tgz"), "bz": (".bz2", ".tbz2"), "zs": (".zst", ".tzst"), "un": (".tar",),
    "pl": (".tar",),
}  # fmt: skip
_NO_TEXT = split_words(
    """
    any an a the error errors problem problems bug bugs issue issues typo typos mistake mistakes misspellings warning
    warnings secret secrets passwords credentials tokens keys whitespace audio sound video subtitles file files picture
    pictures image images change changes changed been lint vulnerabilities security anything something to not no
    """
)
"""What a question asks for that is no text to search."""
_WHO = {"me": "u", "myself": "u", "owner": "u", "user": "u", "group": "g", "others": "o", "other": "o", "world": "o"}
_DOES = {
    "read": "r", "write": "w", "execute": "x", "run": "x", "readable": "r", "writable": "w", "writeable": "w",
    "executable": "x",
}  # fmt: skip
_PLACE_WORDS = {"the", "a", "my", "our", "folder", "directory", "dir"}
_MODE = re.compile(r"([r-])([w-])([x-])" * 3)
_WISH = re.compile(
    r"(?:(?:please|hey|hi|hello|ok|okay|now|so) (?:, )?)*(?:"
    r"(?:i|we)(?:'d| would)? (?:really |also |just |only )?(?:need|want|like|love|prefer)(?: to (?:have|get|see))? (?:that |just |only )?|"
    r"(?:give|get|let|show|hand) (?:me|us) (?:have |see |just |only )?|"
    r"(?:i'm|i am) (?:after|looking for) |"
    r"(?:could|can|would|will) (?:you|u|i|we) (?:please |kindly |just )?(?:get |have |give |make |let )?(?:me |us )?)"
)
_ASKED = re.compile(
    r"(?:(?:please|pls|hey|hi|hello|ok|okay|kindly|now|just|so|quickly|can you|could you|would you|will you|can u|"
    r"could u|go ahead and|be so kind as to|be so good as to) (?:, )?)+"
)
_TOLD = re.compile(
    r"(?:(?:please|hey|hi|ok|okay) (?:, )?)*(?:(?:can|could|would|will) you (?:please )?)?"
    r"(?:(?:tell|show) (?:me|us)|let me know|i(?:'d like to| want to| wanna) (?:know|see)|do you know|say)(?= (?:what|which|who|how|where|is|are|does|do|what's)(?: |$))"
)
_ONLY_LOOK = re.compile(
    r"(?: ,| ;| and| -)? (?:just (?:tell me|look|list them|show me|show them|check)|only (?:tell me|look|list them|show them|check)|"
    r"(?:but )?(?:change|write|modify|alter|touch) nothing|(?:but )?(?:don't|do not) (?:change|write|modify|alter|touch|fix)(?: anything)?|"
    r"without (?:changing|modifying|writing|touching|altering) (?:anything|it|them|the files?)|(?:but )?leave (?:it|them) (?:as (?:it is|they are)|alone|unchanged))$"
)
_POLITE_END = re.compile(
    r"(?:(?: ,)? (?:please|pls|plz|thanks|thank you|for me|for us|for good|completely|entirely|permanently|now|right now|"
    r"right away|immediately))+$"
)


class Put(NamedTuple):
    """The tokens of a request put as an order, and whether it only asks to look."""

    tokens: tuple[Token, ...]
    looks: bool = False


def put_as_order(tokens: Sequence[Token], around: Surroundings) -> Put:
    """Put a request as an order. Unknown wordings are returned as they are."""
    read, looks = _strip_looking(_join_spaced_names(_strip_end(tokens), around))
    read = resolve_pronoun(read, around)
    read = spell_measures(read, join_cells(read))
    read = mark_results(read, around, join_cells(read))
    read = _write_in_place(list_exceptions(read, around), around)
    for start in _list_starts(read):
        rest = read[start:]
        if (found := _match_any(rest, around)) is not None:
            return Put(found.tokens, looks or found.looks)
    return Put(read, looks)


def _strip_end(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """Strip what says nothing off the end: "for me", "completely"."""
    return tuple(tokens[: len(_POLITE_END.sub("", join_cells(tokens)).split(" "))])


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
    for pattern in (_ASKED, _TOLD, _WISH):
        if (found := pattern.match(cells)) is not None and found.group():
            starts.append(len(found.group().split()))
    return tuple(dict.fromkeys(starts))


def _join_spaced_names(tokens: Sequence[Token], around: Surroundings) -> tuple[Token, ...]:
    """Join neighbouring tokens to one name where only the whole is here: ``holiday 2024.png``."""
    found: list[Token] = []
    at = 0
    while at < len(tokens):
        joined = None
        for length in (4, 3, 2):
            part = tokens[at : at + length]
            if len(part) < length or any(each.kind not in {"path", "word"} for each in part):
                continue
            if any(one.end + 1 != other.start for one, other in zip(part, part[1:], strict=False)):
                continue
            name = " ".join(each.raw for each in part)
            if part[-1].kind == "path" and around.exists(name) and not around.exists(part[0].raw):
                joined = (Token("quoted", name, name, name.lower(), part[0].start, part[-1].end), length)
                break
        found.append(joined[0] if joined else tokens[at])
        at += joined[1] if joined else 1
    return tuple(found)


_IN_PLACE = re.compile(
    r"(?: ,)?(?: and)? (?:in place|in-place|(?:overwrite|overwriting|replace|replacing) (?:it|them|the originals?)|over the originals?)$"
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
    for wording, pattern in _list_patterns():
        found = pattern.fullmatch(cells)
        order = _build(wording, found, tokens, around) if found is not None else None
        if order is not None:
            return Put(order, wording.looks)
    return None


@cache
def _list_patterns() -> tuple[tuple[Wording, re.Pattern[str]], ...]:
    from verigate.requests.wordings.orders import ORDERS
    from verigate.requests.wordings.questions import QUESTIONS

    return tuple((each, compile_wording(each.pattern)) for each in (*ORDERS, *QUESTIONS))


def _build(
    wording: Wording, match: re.Match[str], tokens: Sequence[Token], around: Surroundings
) -> tuple[Token, ...] | None:
    """Return the tokens of the order, None if a group isn't what its name says."""
    groups = {name: list_group(tokens, match, name) for name in match.re.groupindex}
    if not all(_is_group(name, group, around) for name, group in groups.items() if group):
        return None
    if match.groupdict().get("c") and not _is_packed_so(match.group("c"), groups["n"][0].text):
        return None
    made: list[Token] = []
    for part in wording.order.split():
        if part.startswith("{who}"):
            made += make_words(_spell_permission(groups, removes="-" in part))
            continue
        if not part.startswith("{"):
            made += make_words(part)
            continue
        words = _fill(part.strip("{}"), groups, match, around, looks=wording.looks)
        if words is None:
            return None
        made += words
    return tuple(made)


def _is_group(name: str, group: Sequence[Token], around: Surroundings) -> bool:
    text = group[0].text if group else ""
    if name == "f":
        suffix = parse_format(text) or parse_plural(text)
        return len(group) == 1 and suffix in _CONVERTIBLE and not around.exists(text)
    if name == "t":
        return group[0].kind != "word" or text.isupper() or text.lower() not in _NO_TEXT
    if name == "a":
        return get_extension(text) in KINDS["archive"]
    if name == "m":
        return not any(get_extension(each.text) in KINDS["archive"] for each in group)
    if name == "cap":
        return group[0].kind in {"path", "quoted"} or text.isupper()
    if name == "g":
        return parse_format(text) is not None
    if name == "n":
        return len(group) == 1
    return True


def _fill(
    name: str, groups: dict[str, tuple[Token, ...]], match: re.Match[str], around: Surroundings, *, looks: bool
) -> tuple[Token, ...] | None:  # noqa: PLR0911 - a line a group
    group = groups.get(name, ())
    if name == "f":
        return make_words(parse_format(group[0].text) or parse_plural(group[0].text) or "", group[0].start)
    if name == "m" and "m" not in groups:  # a name that is beside the format
        return (*make_words("->"), *groups["n"]) if groups.get("n") else ()
    if name == "i":
        return (*make_words("in"), *groups["x"]) if groups.get("x") else ()
    if name == "q":
        return tuple(each._replace(kind="quoted") for each in groups.get("t") or groups["cap"])
    if name == "v":
        return make_words(VERBS.get(group[0].text.lower(), group[0].text.lower()), group[0].start)
    if name == "b":
        return make_words(
            {"cp": "copy", "mv": "move", "ln": "link"}.get(match.group("b").split("\4")[0], "")
            if len(group) == 1
            else "symlink"
        )
    if name == "w":
        folder = next((each.text for each in groups["x"] if each.text.lower() not in _PLACE_WORDS), "")
        name = posixpath.join(folder, groups["n"][0].text)
        return (groups["n"][0]._replace(kind="quoted", raw=name, text=name),)
    if name == "z":
        return make_words({"double": "to 200 %", "halve": "to 50 %"}[groups["v"][0].text.lower()])
    if name == "members":
        named = [each for each in groups["m"] if each.kind in {"path", "quoted"}]
        return tuple(part for each in named for part in (*make_words("member"), each._replace(kind="quoted")))
    if name == "state":
        named = [each for each in groups["x"] if each.text.lower() not in _PLACE_WORDS]
        return make_words("status" if all(around.is_folder(each.text) for each in named) else "diff")
    if name == "l":
        hard = match.group("l").startswith("hard")
        return make_words("link" if hard else "symlink")
    if name == "o":
        return _read_mode(group[0])
    if name == "k":
        end = get_extension(groups["n"][0].text)
        return (
            make_words("pack" if end in KINDS["archive"] else "convert")
            if end in _CONVERTIBLE | KINDS["archive"]
            else None
        )
    if name == "n":
        return tuple(each._replace(kind="quoted") if each.kind == "word" else each for each in group)
    if name == "p":
        return tuple(each if each.text.lower() in {"and", ","} else each._replace(kind="quoted") for each in group)
    if name in {"x", "y"}:
        return tuple(_join(each, looks=looks) for each in group)
    if name == "r":
        return (
            tuple(group[1:]) if group and group[0].text == "," and len(group) > 1 and group[1].text == "->" else group
        )
    return group


def _spell_permission(groups: dict[str, tuple[Token, ...]], *, removes: bool) -> str:
    """Spell permissions as ``chmod`` takes them: who, and what is given or taken."""
    said = " ".join(each.text.lower() for each in groups.get("who", ()))
    who = next((letter for word, letter in _WHO.items() if word in said.split()), "a")
    what = "".join(
        dict.fromkeys(
            _DOES[w] for each in (*groups.get("do", ()), *groups.get("can", ())) if (w := each.text.lower()) in _DOES
        )
    )
    return f"{who}{'-' if removes else '+'}{what}"


def _join(token: Token, *, looks: bool) -> Token:
    """Say "and" for "plus", and for an "or" between what is only looked at."""
    word = token.text.lower()
    if token.kind == "word" and (word == "plus" or (looks and word == "or")):
        return make_words("and", token.start)[0]
    return token


def _read_mode(token: Token) -> tuple[Token, ...]:
    """Read permissions as ``ls`` writes them: ``rw-r-----`` is 640."""
    found = _MODE.fullmatch(token.text)
    if found is None:
        return (token,)
    bits = [each != "-" for each in found.groups()]
    digits = "".join(str(4 * r + 2 * w + x) for r, w, x in zip(bits[::3], bits[1::3], bits[2::3], strict=True))
    return make_words(digits, token.start)


def _is_packed_so(word: str, name: str) -> bool:
    """Whether a name's extension says the compression that the words say."""
    if word == "compressed":
        return not name.endswith(".tar")
    return name.lower().endswith(_PACKED.get(word[:2], ()))
