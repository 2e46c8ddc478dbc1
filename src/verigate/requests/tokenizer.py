"""Tokenize a request: words with their stems, quoted text, paths and patterns, separators.

Words are compared by Porter's stem for English (https://snowballstem.org), as those of a claim are.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, Literal, NamedTuple

Kind = Literal["word", "quoted", "path", "separator"]

MAX_REQUEST = 4000
"""Characters of a request that are read; more is refused."""

_CHUNK = re.compile(
    r"""
    "(?P<double>[^"]*)" | \u201c(?P<curly>[^\u201d]*)\u201d | `(?P<code>[^`]*)`
  | (?<!\S)'(?P<single>[^']*)'(?=[\s,;:.!?)]|$)
  | (?P<separator>[,;]|&&|\|\||(?<!\S)(?:&|\||\u2014|\u2013|--?)(?!\S))
  | (?P<arrow>(?<!\S)(?:->|=>|\u2192)(?!\S))
  | (?P<plain>(?:(?!,(?:\s|$))[^\s;"\u201c`])+)
    """,
    re.VERBOSE,
)
_PATH = re.compile(
    r"\.{1,2}|~(?:/.*)?|.*[/*\[\]].*|.+\?.+|\.?[^\s.][^\s]*\.[A-Za-z][A-Za-z0-9_]{0,9}|\.[A-Za-z][\w.-]*"
)
_SENTENCE_END = re.compile(r"\w[.!?]$|\w[\"')][.!?]$")
_SENTENCE = re.compile(r"\s+[A-Z]")
_SHORT = {"n't": " not", "\u2019": "'"}


class Token(NamedTuple):
    """``raw`` is the text as written, ``text`` the same without quotes, ``stem`` is used to compare words.

    ``start`` and ``end`` are offsets in the request.
    """

    kind: Kind
    raw: str
    text: str
    stem: str
    start: int
    end: int


@cache
def _load_stemmer() -> Any:
    import Stemmer

    return Stemmer.Stemmer("english")


@cache
def stem_word(word: str) -> str:
    """Return the stem of one word in lower case; of words joined by hyphens or underscores the stem of each."""
    stems: list[str] = [_load_stemmer().stemWord(part) for part in re.split(r"[-_\s]+", word.lower().strip()) if part]
    return " ".join(stems)


@cache
def stem_text(text: str) -> tuple[str, ...]:
    """Return the stems of the words in ``text``, without punctuation."""
    return tuple(_load_stemmer().stemWord(part) for part in re.findall(r"[^\W_]+(?:'[a-z]+)?|->", text.lower()))


def read_stemmer_version() -> str:
    """Return the stemmer's version: a stored index of stems is valid only for the same version."""
    import Stemmer

    return f"pystemmer {Stemmer.version()}"


def tokenize(request: str) -> tuple[Token, ...]:
    """Return the tokens of a request, in order."""
    found: list[Token] = []
    for match in _CHUNK.finditer(request):
        kind = match.lastgroup or "plain"
        if kind == "separator":
            found.append(Token("separator", match.group(), match.group(), match.group(), match.start(), match.end()))
        elif kind == "arrow":
            found.append(Token("word", match.group(), "->", "->", match.start(), match.end()))
        elif kind == "plain":
            found += _split_chunk(match.group(), match.start())
            if _SENTENCE_END.search(match.group()) and _SENTENCE.match(request, match.end()):
                found.append(Token("separator", ".", ".", ".", match.end(), match.end()))
        else:
            text = match.group(kind)
            found.append(Token("quoted", match.group(), text, text.lower(), match.start(), match.end()))
    return tuple(found)


def _split_chunk(raw: str, start: int) -> list[Token]:
    """Split brackets and final punctuation off a chunk without spaces."""
    text = raw.rstrip(",:!?)") if not raw.startswith("(") else raw.strip("(),:!?")
    if text.endswith(".") and text not in {".", ".."} and not text.endswith("/.") and not text.endswith("/.."):
        text = text.rstrip(".").rstrip(",:!?)")
    if not text:
        return []
    place = start + raw.index(text)
    if _PATH.fullmatch(text):
        return [Token("path", text, text, text.lower(), place, place + len(text))]
    plain = text.replace("\u2019", "'")
    return [Token("word", text, text, stem_word(plain) or plain.lower(), place, place + len(text))]
