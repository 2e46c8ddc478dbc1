"""Bring measures into figures: "two seconds", "half its size", "a quarter turn to the left", "320 px wide"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache

from verigate.requests.reading import Surroundings
from verigate.requests.tokenizer import Token
from verigate.requests.wordings.cells import make_words, substitute

_ONES = {
    word: number
    for number, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
        ]
    )
}
_TENS = dict(
    zip(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], range(20, 100, 10), strict=True)
)
_WORD = "|".join(sorted({*_ONES, *_TENS}, key=len, reverse=True))
_UNIT = (
    r"seconds?|minutes?|hours?|milliseconds?|ms|degrees?|percent|per cent|%|pixels?|px|fps|frames|commits|"
    r"lines? (?:before|after|around|of context)"
)
_NUMBER = r"\d+(?:\.\d+)?"
_SIZE_NOUN = r"(?:size|sizes|dimensions|width and height|height and width|width and its height|resolution|side length)"
_OWN = r"(?:(?:of )?(?:the|its|their) )?(?:(?:original|current|present|own) )?"
_KEPT = (
    r"(?:with )?(?:the )?(?:height|width) (?:to match|goes with it|follows|in proportion|whatever fits|adjusted)|"
    r"(?:and )?(?:the )?(?:height|width) (?:goes with it|follows|adjusts)|"
    r"(?:and |with )?(?:keep|keeping|preserving|preserve)(?: the| its| their)? (?:aspect ratio|proportions?|ratio)|"
    r"(?:with )?(?:the )?(?:aspect ratio|proportions) (?:untouched|kept|intact|preserved)|"
    r"without (?:distortion|distorting(?: it| them)?)|with(?:out)? the same proportions|proportionally"
)


def _parse_number(text: str) -> int | None:
    """Parse a number in words, up to 999: "ninety", "two hundred", "forty five"."""
    total = 0
    for word in text.replace("-", " ").split():
        if word in {"and", "a"}:
            continue
        if word == "hundred":
            total = max(total, 1) * 100
        elif word in _ONES or word in _TENS:
            total += _ONES.get(word, _TENS.get(word, 0))
        else:
            return None
    return total


def _format(number: float) -> str:
    return f"{number:g}"


def _spell_number(match: re.Match[str]) -> str | None:
    whole = _parse_number(match.group("n"))
    if whole is None:
        return None
    return f"{whole + 0.5:g} {match.group('u')}" if match.group("half") else f"{whole} {match.group('u')}"


def _turn(match: re.Match[str]) -> str:
    degrees = float(match.group("n") or 90)
    return f"{_format((360 - degrees) % 360 if match.group('left') else degrees)} degrees"


def _quarter_turn(match: re.Match[str]) -> str:
    degrees = {"quarter": 90.0, "half": 180.0}[match.group("part")]
    left = (match.group("side") or "").startswith(("left", "counter", "anti"))
    return f"rotate by {_format(360 - degrees if left else degrees)} degrees"


def _say_copy(match: re.Match[str]) -> str:
    is_sound = re.search(r"\b(?:sound|audio|soundtrack|music)\b", match.string) is not None
    return "audio codec copy" if is_sound else "video codec copy audio codec copy"


_FRACTIONS = {"half": 50.0, "quarter": 25.0, "third": 100 / 3, "twice": 200.0, "double": 200.0, "thrice": 300.0}


def _scale(match: re.Match[str]) -> str:
    return f"to {_FRACTIONS[match.group('part')]:.5g} %"


_Rule = tuple[str, Callable[[re.Match[str]], str | None]]

_SIDES = {
    "wide": "width",
    "across": "width",
    "in width": "width",
    "high": "height",
    "tall": "height",
    "in height": "height",
}

_RULES: tuple[_Rule, ...] = (
    (
        r"(?:but )?only (?:for |the |rule |rules )?(?:(?!in |of )[a-z]+ ){0,3}(?P<c>[a-z]{1,8}\d{2,5})",
        lambda match: f"only rule {match.group('c').upper()}",
    ),
    (r"per cent", lambda _: "percent"),
    (r"the first (?P<u>second|minute)", lambda match: f"the first 1 {match.group('u')}"),
    (r"(?P<to>to|as|into|in|->) plain text", lambda match: f"{match.group('to')} text"),
    (r"half a (?P<u>second|minute|hour)", lambda match: f"0.5 {match.group('u')}s"),
    (
        rf"(?P<n>(?:{_WORD})(?:[ -](?:hundred|{_WORD}))*)(?P<half> and a half)? (?P<u>{_UNIT})",
        _spell_number,
    ),
    (
        rf"(?:from )?seconds? (?P<a>{_NUMBER}) (?:to|until|till|through|-) (?:second )?(?P<b>{_NUMBER})(?: seconds?)?",
        lambda match: f"from {match.group('a')}s to {match.group('b')}s",
    ),
    (rf"second (?P<n>{_NUMBER})", lambda match: f"{match.group('n')}s"),
    (
        r"(?P<a>\d+) ?(?:px|pixels?)? (?:by|x|\u00d7) (?P<b>\d+)(?: (?:px|pixels?))?",
        lambda match: f"{match.group('a')}x{match.group('b')}",
    ),
    (r"(?P<d>\d+x\d+) (?:px|pixels?)", lambda match: match.group("d")),
    (r"(?P<n>\d+) (?:px|pixels?) square", lambda match: f"{match.group('n')}x{match.group('n')}"),
    (
        r"(?:(?:to|with|of|at) )?(?:a |the )?(?P<side>width|height) (?:of )?(?P<n>\d+)(?: ?(?:px|pixels?))?",
        lambda match: f"{match.group('side')} {match.group('n')}",
    ),
    (
        r"(?:to |at )?(?P<n>\d+)(?:px| px| pixels?) (?P<side>wide|across|high|tall|in width|in height)",
        lambda match: f"{_SIDES[match.group('side')]} {match.group('n')}",
    ),
    (
        (
            rf"(?:by )?(?P<n>{_NUMBER})(?: degrees?|\u00b0| \u00b0| deg) (?:to the |to |towards the )?"
            r"(?:(?P<left>left|counter-?clockwise|anti-?clockwise)|right|clockwise)"
        ),
        _turn,
    ),
    (
        rf"to the (?:(?P<left>left)|right) by (?P<n>{_NUMBER})(?: degrees?|\u00b0| \u00b0| deg)",
        _turn,
    ),
    (r"(?:by )?(?:180 degrees )?upside[ -]down", lambda _: "by 180 degrees"),
    (r"by half(?! an?(?!\S))", lambda _: "to 50 %"),
    (r"(?P<part>half|twice|double) as (?:big|large|wide and high)", _scale),
    (
        (
            r"(?:give (?:it|them) |by )?an? (?P<part>quarter|half)(?: of a)?[ -]turn(?: (?:to the |to )?"
            r"(?P<side>left|right|clockwise|counter-?clockwise|anti-?clockwise))?"
        ),
        lambda match: (
            _quarter_turn(match).removeprefix("rotate ") if match.group().startswith("by") else _quarter_turn(match)
        ),
    ),
    (
        rf"(?:(?:to|at|by) )?(?:an? |the )?(?P<part>half|quarter|third|twice|double|thrice) {_OWN}{_SIZE_NOUN}",
        _scale,
    ),
    (r"(?:black-and-white|grey|gray|b&w|greyscale)(?= (?:copy|version|picture|image))", lambda _: "grayscale"),
    (r"in black and white|in gr[ae]yscale|in shades of gr[ae]y", lambda _: "grayscale"),
    (r"web page", lambda _: "html page"),
    (r"case-(?P<i>in)?sensitive(?:ly)?", lambda match: f"case {match.group('i') or ''}sensitive"),
    (r"one (?:level|folder|directory) up", lambda _: "to the parent folder"),
    (
        (
            r"(?:but )?(?:without|leaving out|stripping|dropping|minus) (?:the |its "
            r")?(?:first|leading|top|outer|top-level)(?: level)?(?: of)? (?:folder|directory|path)(?: level| "
            r"part| component)?"
        ),
        lambda _: "strip 1",
    ),
    (rf"(?:, )?(?:{_KEPT})", lambda _: "keep proportions"),
    (
        (
            r"(?:, )?(?:even if|no matter if|whether or not) (?:it|they) (?:gets?|is|are|looks?) "
            r"(?:squashed|stretched|distorted|deformed)"
        ),
        lambda _: "",
    ),
    (
        r"without (?:re-?encoding|transcoding|recompressing)(?: it| them)?",
        _say_copy,
    ),
    (r"(?:, )?(?:right )?(?:next to|beside) the originals?", lambda _: ""),
    (
        r"(?:, )?(?:upper or lower case|upper and lower case|case) (?:doesn't|does not|don't|do not) matter",
        lambda _: "case insensitive",
    ),
    (r"anywhere (?P<in>in|under|below)", lambda match: match.group("in")),
    (
        r"(?:but )?leave (?P<c>[a-z]{1,8}\d{2,5}) out(?: of (?:it|this))?",
        lambda match: f"ignoring {match.group('c').upper()}",
    ),
    (r"as if (?:it|they) (?:was|were|is) (?P<d>\w+)", lambda match: f"dialect {match.group('d')}"),
    (
        (
            r"(?:all|everything|all the files|all files) (?:that is|that are|that's|what is|what's|which is) "
            r"(?=(?:in|under|inside|below) )"
        ),
        lambda _: "everything",
    ),
    (
        (
            r"(?P<c>[a-z]{1,8}\d{2,5}) (?:doesn't|don't|does not|do not) (?:interest|matter|count|concern)(?: "
            r"me| us| to me)?"
        ),
        lambda match: f"ignoring {match.group('c').upper()}",
    ),
    (
        r"(?:i|we) (?:don't|do not) care (?:about|for) (?P<c>[a-z]{1,8}\d{2,5})",
        lambda match: f"ignoring {match.group('c').upper()}",
    ),
)
_RATES = {"kbit/s", "mbit/s", "kb/s", "mb/s", "kbits/s", "mbits/s"}
_HINTS = re.compile(
    rf"\b(?:{_WORD}|half|twice|double|thrice|quarter|third|second|px|pixels?|by|wide|width|height|high|tall|degrees?|"
    r"deg|per|clockwise|turn|grey|gray|black-and-white|black|shades|proportions?|ratio|distortion|distorting|"
    r"proportionally|squashed|stretched|distorted|deformed|re-?encoding|transcoding|recompressing|as if|all|everything|"
    r""
    r""
    r"interest|matter|count|concern|care|case-insensitive|case-insensitively|up|only|web|next|beside|case|"
    r"anywhere|leave|upside|upside-down|"
    r"seconds|plain|as|leading|first|outer|top)\b|\u00d7|\u00b0|\bx\b"
)
"""A request without any of these has no measure in words: no other pattern is compiled for it."""


@cache
def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?<!\S){pattern}(?!\S)" if not pattern.startswith("(?:, )") else rf"(?:(?<!\S)){pattern}(?!\S)"
    )


def join_units(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """Join a number and a unit with a slash, which reads as a path: "192 kbit/s"."""
    found: list[Token] = []
    for token in tokens:
        before = found[-1].text if found else ""
        if token.text.lower() in _RATES and re.fullmatch(_NUMBER, before):
            last = found.pop()
            text = f"{before}{token.text}"
            found.append(Token("word", text, text, text.lower(), last.start, token.end))
        else:
            found.append(token)
    return tuple(found)


def drop_possessives(tokens: Sequence[Token], around: Surroundings) -> tuple[Token, ...]:
    """Read "CHANGELOG's history" as "CHANGELOG history", where there is a CHANGELOG."""
    found: list[Token] = []
    for place, token in enumerate(tokens):
        if place and token.text.lower() == "commits" and tokens[place - 1].text.lower().endswith(("'s", "\u2019s")):
            author = found.pop()
            found += [token, *make_words("by"), author._replace(kind="quoted", text=author.text[:-2])]
            continue
        name = token.text.replace("\u2019", "'").removesuffix("'s")
        is_name = name != token.text and token.kind in {"word", "path"} and around.exists(name)
        found.append(token._replace(kind="quoted", text=name) if is_name else token)
    return tuple(found)


def spell_measures(tokens: Sequence[Token], cells: str) -> tuple[Token, ...]:
    """Replace measures in words by figures. ``cells`` is the text of the tokens."""
    read = tuple(tokens)
    if _HINTS.search(cells) is None:
        return read
    for pattern, say in _RULES:

        def build(match: re.Match[str], say: Callable[[re.Match[str]], str | None] = say) -> tuple[Token, ...] | None:
            words = say(match)
            return None if words is None else make_words(words)

        read = substitute(read, _compile(pattern), build)
    return read
