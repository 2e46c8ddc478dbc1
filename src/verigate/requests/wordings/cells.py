"""Match patterns against the tokens of a request: one cell a token, so that a group is a run of tokens.

A path or quoted text is the cell ``PATH``; patterns never see what is in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache

from verigate.requests.file_formats import parse_format, parse_kind, parse_plural
from verigate.requests.reading import Surroundings
from verigate.requests.tokenizer import Token, stem_word
from verigate.requests.vocabulary import split_words

PATH = "\0"
PATH_LIST = rf"{PATH}(?:(?: ,)?(?: and| plus)? {PATH})*"

_NAME, _NOUN, _WITH, _OTHER = "\1", "\2", "\3", "\4"
_ANY = f"[{_NAME}{_NOUN}{_WITH}{_OTHER}]"
_FILES = f"(?P<{{}}>(?:[^ ]+[{_NAME}{_NOUN}{_WITH}] )*[^ ]+(?={_NAME})(?:{_ANY} [^ ]+(?={_NOUN}))*)"
_BESIDE = split_words(
    """
    the a an my our your all every each both and , of in everything contents plus or whole entire
    three two four only called named
    """
)
"""Words that stand before the names of files and choose nothing by themselves."""
_NOUNS = split_words(
    "file files folder folders directory directories dir dirs page pages document documents script scripts"
)


def join_cells(tokens: Sequence[Token]) -> str:
    """Join the tokens into one text: words in lower case, ``PATH`` for names, with one space between tokens."""
    return " ".join(
        PATH if token.kind in {"path", "quoted"} else re.sub(r"\s", "_", token.text.lower().replace("\u2019", "'"))
        for token in tokens
    )


def list_group(tokens: Sequence[Token], match: re.Match[str], name: str) -> tuple[Token, ...]:
    """List the tokens of a group; none where it didn't take part."""
    if name not in match.re.groupindex or match.start(name) < 0:
        return ()
    flags = f"{_NAME}{_NOUN}{_WITH}{_OTHER}"
    text = match.group(name).lstrip(flags)
    start = match.string[: match.start(name)].count(" ") + text.startswith(" ")
    words = text.strip(f" {flags}")
    return tuple(tokens[start : start + len(words.split(" "))]) if words else ()


def make_words(words: str, place: int = 0) -> tuple[Token, ...]:
    """Make tokens of words that stand for others of a request at offset ``place``."""
    return tuple(
        Token("separator", word, word, word, place, place)
        if word == ","
        else Token("word", word, word, "->" if word == "->" else stem_word(word) or word, place, place)
        for word in words.split()
    )


def is_name(token: Token, around: Surroundings) -> bool:
    """Whether a token is a path, quoted text, or the name of something that is here."""
    return token.kind in {"path", "quoted"} or (token.kind == "word" and around.exists(token.text))


def flag_cells(tokens: Sequence[Token], around: Surroundings) -> str:
    """Join the tokens as ``join_cells`` does, each with a flag behind it: a name, what goes with names, or neither."""
    return " ".join(
        cell + _flag(token, around, tokens[place + 1 : place + 2])
        for place, (cell, token) in enumerate(zip(join_cells(tokens).split(" "), tokens, strict=True))
    )


def _flag(token: Token, around: Surroundings, following: Sequence[Token]) -> str:
    word = token.text.lower()
    if token.kind in {"path", "quoted"}:
        return _NAME
    if word in _BESIDE:
        return _WITH
    if parse_format(word) is not None and following and following[0].text.lower() == "files":
        return _NAME
    if token.kind == "word" and (around.exists(token.text) or parse_plural(word) is not None):
        return _NAME
    return _NOUN if word in _NOUNS or parse_format(word) is not None or parse_kind(word) is not None else _OTHER


@cache
def compile_wording(pattern: str) -> re.Pattern[str]:
    """Compile a pattern for flagged cells: ``<X>`` and ``<Y>`` are files with what goes with their names."""
    flagged = f"{pattern} ".replace(" ", f"{_ANY} ").removesuffix(" ")
    for name in ("x", "y"):
        flagged = flagged.replace(f"<{name.upper()}>", _FILES.format(name))
    return re.compile(flagged)


def substitute(
    tokens: Sequence[Token], pattern: re.Pattern[str], build: Callable[[re.Match[str]], Sequence[Token] | None]
) -> tuple[Token, ...]:
    """Replace each match by the tokens that ``build`` makes of it; None leaves it. Patterns match whole cells."""
    cells, at, found = join_cells(tokens), 0, list[Token]()
    for match in pattern.finditer(cells):
        start = cells[: match.start()].count(" ") + match.group().startswith(" ")
        new = build(match) if start >= at else None
        if new is None:
            continue
        found += [*tokens[at:start], *new]
        at = start + len(match.group().split())
    return (*found, *tokens[at:])
