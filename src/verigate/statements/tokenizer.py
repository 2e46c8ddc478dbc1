"""Tokenize a sentence: normalized words, numbers with their units, code, paths, links, marks.

Words are compared by stem (Porter's stemmer for English, https://snowballstem.org), so "passes", "passed" and
"passing" are one word. ``lexicon`` has the names of the stems.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

import Stemmer
from msgspec import Struct

from verigate.statements.commands import Command, Part, classify_command
from verigate.statements.file_names import EXTENSIONS
from verigate.statements.lexicon import BY_STEM, EXACT, NUMBERS, STOP_WORDS, UNKNOWN
from verigate.statements.quantifiers import normalize_quantifiers

_UNITS = {
    "ms": 1.0,
    "millisecond": 1.0,
    "milliseconds": 1.0,
    "s": 1000.0,
    "sec": 1000.0,
    "second": 1000.0,
    "seconds": 1000.0,
}
_AT_LEAST = (
    r"(?:is |are )?(?:at least|no (?:less|fewer) than|not (?:less|fewer|below)(?: than)?|a minimum of|>=|\u2265|=>)"
)
_AT_MOST = (
    r"(?:at most|no more than|not more than|(?<!went )(?<!goes )(?<!gone )(?<!is )(?<!now )up to(?= \d)|"
    r"a maximum of|<=|\u2264|not exceed\w*|within(?= \d))"
)
_RELATIONS = (
    (_AT_LEAST, "ge"),
    (_AT_MOST, "le"),
    (
        r"(?:more than|(?<!\w)over(?= ?[\d~a-z]+\W)|above|greater than|higher than|exceed\w*|upwards of|north of|>)",
        "gt",
    ),
    (r"(?:less than|fewer than|under|below|lower than|<)", "lt"),
)
_RELATION = re.compile("|".join(f"(?P<{name}>{pattern})(?=\\W)" for pattern, name in _RELATIONS), re.IGNORECASE)

GOOD_MARKS = "\u2705\u2714\u2713\u2611\U0001f7e2\U0001f44d\U0001f4af"
BAD_MARKS = "\u274c\u2717\u2718\u2716\U0001f534\u26d4\U0001f6ab\u274e\U0001f44e"
_METHOD = "(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)"
_NAMED_COMMANDS = (
    r"(?:(?:npm|yarn|pnpm)\ (?:run\ )?(?:test|lint|build|type-?check)|cargo\ (?:test|build|clippy|check)|"
    r"go\ (?:test|build|vet)(?:\ \./\.\.\.)?|make\ (?:test|lint|build)|ruff\ check(?:\ \.(?!\w))?|"
    r"(?:mvn|gradle)\ test|[Mm]aven\ build)"
)
_WRAPPERS = r"(?<![\w/.])\./(?:mvnw|gradlew)\ test"
"""Commands that begin with a sign, so that no word ends before them."""
_TOKEN = re.compile(
    rf"""
    (?P<code>`+[^`\n]+`+)
  | (?P<quote>"[^"\n]{{1,200}}"|\u201c[^\u201d\n]{{1,200}}\u201d)
  | (?P<url>https?://[^\s<>)\]"'`,;]+[^\s<>)\]"'`,;.!?:])
  | (?P<endpoint>\b{_METHOD}\s+/(?:[^\s,;)"'`]*[^\s,;)"'`.:!?]|(?=[\s,;.)]|$)))
  | (?P<command>(?:\b{_NAMED_COMMANDS}|{_WRAPPERS})(?![\w-]|:\w))
  | (?P<percentile>\b[pP](?:50|90|95|99)\b)
  | (?P<ratio>\b\d[\d,]*\s?(?:/|(?:out\ )?of(?:\ the)?(?:\ total)?)\s?\d[\d,]*\b(?!\s?%|[/.]\d))
  | (?P<percent>(?<![\w.])\d+(?:\.\d+)?\s?(?:%|percent\b|per\ cent\b|pct\b))
  | (?P<twoxx>\b2xx\b)
  | (?P<duration>(?<![\w.])\d+(?:\.\d+)?\s?(?:ms|milliseconds?|s|secs?|seconds?)\b)
  | (?P<number>(?<![\w./-])\d{{1,3}}(?:,\d{{3}})+(?![\w.]?\d)|(?<![\w./-])\d+(?![\w]|\.\d|/\w))
  | (?P<path>(?<![\w/])\.?(?:[\w.@-]+/)+(?:[\w.@*-]*[\w*])?|(?<![\w/])(?:[\w-]+\.)+(?:{"|".join(EXTENSIONS)})\b)
  | (?P<route>(?<![\w.])/[A-Za-z][\w/{{}}:<>-]*)
  | (?P<good>[{GOOD_MARKS}])
  | (?P<bad>[{BAD_MARKS}])
  | (?P<word>[^\W\d_]\w*(?:(?:['\u2019-]|::|\.(?=\w))\w+)*(?:\(\))?)
  | (?P<separator>[,;:()|\u2014\u2013\u00b7\u2022]|(?<=\s)-{{1,2}}(?=\s)|[.!?](?=\s|$))
  | (?P<junk>[\w$\u20ac\u00a3&@\#=~^\u2248\u00b1<>%/+\u23ed]+)
    """,
    re.VERBOSE,
)
_IDENTIFIER = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|::|#)[A-Za-z_$][\w$]*)*(?P<call>\([^()]*\))?")
_ENDPOINT = re.compile(r"(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s+(/\S*)")
_TEST_ID = re.compile(r"(?=.*test)(?:[\w.@-]+/)+[\w.@-]+\.\w{1,4}::\S.*", re.IGNORECASE)
_TITLE = re.compile(r"[A-Za-z][\w'(),-]*(?: [\w'(),-]+){1,19}")
"""Words in code: the title of a test."""

_PATHLIKE = re.compile(
    r"(?:\.?[\w.@-]+/)+[\w.@*-]*|(?:[\w-]+\.)*[\w-]+\.[A-Za-z]\w{0,9}|\.[a-z][\w.-]+|Makefile|Dockerfile|LICENSE|"
    r"README|CHANGELOG"
)


_LAUNCHED = re.compile(
    r"(?<![\w`-])(?:npx|bunx|(?:npm|pnpm|yarn)(?: exec| run| dlx)?|(?:uv|poetry|pdm|hatch|rye|pipenv) run|python3? -m) "
    r"(?=(?:vitest|jest|mocha|ava|pytest|unittest|ruff|mypy|eslint|prettier|tsc|biome)\b)"
)
"""Programs that start another one, which is the one that matters."""


class Token(Struct, frozen=True):
    """``form`` is what grammars match, ``value`` the parsed value, ``raw`` the text as written.

    ``step`` and ``tool`` are those of a StatedFact, ``part`` is what the arguments of a command restrict it to.
    """

    form: str
    value: Any
    raw: str
    step: float = 0.0
    tool: str | None = None
    part: Part | None = None


@cache
def _load_stemmer() -> Any:
    return Stemmer.Stemmer("english")


@cache
def _names_by_stem() -> dict[str, str]:
    stemmer = _load_stemmer()
    return {stemmer.stemWord(word): name for word, name in BY_STEM.items()}


def tokenize(text: str) -> Iterator[Token]:
    """Yield the tokens of one sentence. A stop word has an empty form, an unknown word the form ``?``."""
    plain = _LAUNCHED.sub("", text.replace("\u2019", "'"))
    for match in _TOKEN.finditer(_mark_relations(normalize_quantifiers(plain))):
        yield from _make_tokens(str(match.lastgroup), match.group())


def _mark_relations(text: str) -> str:
    """Replace phrases of comparison by marker words; leave code and quotations as they are."""
    parts = re.split(r"(`+[^`\n]*`+|\"[^\"\n]*\")", f"{text} ")
    return "".join(
        part if index % 2 else _RELATION.sub(lambda match: f" rel_{match.lastgroup} ", part)
        for index, part in enumerate(parts)
    )


def _make_tokens(kind: str, raw: str) -> Iterator[Token]:
    if kind == "word":
        yield from _read_word(raw)
    elif kind == "path" and _is_enumeration(raw):
        for number, word in enumerate(raw.split("/")):
            yield from (Token("sep", ",", "/"),) if number else ()
            yield from _read_word(word)
    elif kind in {"code", "command"}:
        yield _read_code(raw.strip("`").strip(), raw)
    elif kind in _NUMERIC:
        yield _NUMERIC[kind](raw)
    elif kind == "quote":
        yield Token("quoted", raw[1:-1].strip(), raw)
    elif kind == "junk":
        if raw == "/":
            yield Token("sep", ",", raw)
        elif raw.strip("+"):
            yield Token("?", raw, raw)
    else:
        yield Token(_FORMS.get(kind, kind), re.sub(r"\s+", " ", raw), raw)


_FOLDERS = frozenset(
    {"src", "docs", "doc", "lib", "app", "api", "apps", "packages", "pkg", "internal", "cmd", "config", "scripts"}
    | {"examples", "test", "tests", "spec", "web", "server", "client"}
)


def _is_enumeration(raw: str) -> bool:
    """Whether slashes separate words, as in lint/tests/build, rather than folders."""
    parts = raw.split("/")
    if not raw.isascii() or not all(part.isalpha() for part in parts):
        return False
    if parts[0] in {"tests", "test"}:
        return all(_find_form(part.lower()) != "?" for part in parts)
    return parts[0] not in _FOLDERS


_FORMS = {"endpoint": "ep", "route": "ep", "twoxx": "2xx", "separator": "sep"}


def _read_ratio(raw: str) -> Token:
    first, second = (int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", raw))
    return Token("ratio", (first, second), raw)


def _read_percent(raw: str) -> Token:
    digits = "".join(re.findall(r"[\d.]", raw))
    places = len(digits.partition(".")[2])
    # 100% is taken as exact: no tool rounds up to it.
    step = 0.0 if float(digits) == 100 else 0.5 * 10 ** -(places + 2)
    return Token("pct", round(float(digits) / 100, places + 2), raw, step)


def _read_duration(raw: str) -> Token:
    digits, unit = re.findall(r"[\d.]+|[a-z]+", raw, re.IGNORECASE)[:2]
    return Token("dur", float(digits) * _UNITS[unit.lower()], raw)


def _read_number(raw: str) -> Token:
    return Token("num", int(raw.replace(",", "")[:18]), raw)


def _read_percentile(raw: str) -> Token:
    return Token("percentile", raw.lower(), raw)


_NUMERIC: Mapping[str, Callable[[str], Token]] = {
    "ratio": _read_ratio,
    "percent": _read_percent,
    "duration": _read_duration,
    "number": _read_number,
    "percentile": _read_percentile,
}
_WELL_KNOWN = frozenset({"README", "CHANGELOG", "CONTRIBUTING"})
_SEPARATING = frozenset({"and", "plus", "with", "but", "while", "then"})


def _read_word(raw: str) -> Iterator[Token]:
    lowered = raw.lower()
    if lowered.startswith("rel_"):
        yield Token(lowered[4:], lowered, raw)
    elif lowered.endswith("n't"):
        yield Token("not", raw, raw)
    elif lowered in _SEPARATING:
        yield Token("sep", lowered, raw)
    elif lowered in STOP_WORDS:
        yield Token("", raw, raw)
    elif lowered in NUMBERS:
        yield Token("num", NUMBERS[lowered], raw)
    elif raw in _WELL_KNOWN:
        yield Token("path", f"{raw}.md", raw)
    elif raw.endswith("()"):
        yield _read_code(raw, raw)
    elif (found := classify_command(lowered)) is not None:
        yield _make_command(found, raw)
    elif _TEST_WORD.fullmatch(raw):
        yield Token("ident", raw, raw)
    else:
        yield Token(_find_form(lowered), raw, raw)


_TEST_WORD = re.compile(r"test_[a-z0-9]\w*")
"""A word that is the name of a test and no other."""


def _find_form(word: str) -> str:
    if word in UNKNOWN:
        return "?"
    return EXACT.get(word) or _names_by_stem().get(_load_stemmer().stemWord(word), "?")


def _read_code(inner: str, raw: str) -> Token:
    """Classify code in backticks: a command, an endpoint, a path, a URL, a name or a call."""
    if (found := classify_command(inner)) is not None:
        return _make_command(found, raw)
    if _TEST_ID.fullmatch(inner) is not None:
        return Token("test", inner, raw)
    if (endpoint := _ENDPOINT.fullmatch(inner)) is not None:
        return Token("ep", f"{endpoint[1]} {endpoint[2]}", raw)
    form = "?"
    name = _IDENTIFIER.fullmatch(inner)
    if " " not in inner and inner.startswith(("/", "http://", "https://")):
        form = "ep" if inner.startswith("/") else "url"
    elif name is not None and name["call"] is not None:
        form, inner = "call", inner[: name.start("call")]
    elif _PATHLIKE.fullmatch(inner) and not (name is not None and _is_member(inner)):
        form = "path"
    elif name is not None:
        form = "ident"
    elif _TITLE.fullmatch(inner):
        form = "title"
    return Token(form, inner, raw)


def _make_command(found: Command, raw: str) -> Token:
    return Token(found.topic, raw, raw, tool=found.tool, part=found.part)


_FILES = frozenset(EXTENSIONS)


def _is_member(inner: str) -> bool:
    """Whether a dotted name is a member, such as ``Cart.total``, rather than a file, such as ``cart.py``."""
    return "/" not in inner and "." in inner and inner.rpartition(".")[2].lower() not in _FILES
