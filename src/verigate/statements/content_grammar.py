"""How texts are told of: words, headings, images, quotes."""

from __future__ import annotations

from collections.abc import Iterator

from verigate.domain.reading import Fact, Relation
from verigate.statements.matching import NUM, Match, compiled

_IMAGES = "content/images.json"
_QUOTES = "content/quotes.json"
_WHO = "(?:(?:article|docs|path|pages) )?"
_ALT = "(?:alt|alt attribute)"
_ATTRIBUTED = "attributed(?: to source)?"


def _words(m: Match) -> Iterator[Fact]:
    paths = m.every("path")
    what = str(paths[0].value) if paths else "/total"
    yield Fact("content/wordcount.json", what, m.relation, m.number())


def _between(m: Match) -> Iterator[Fact]:
    low, high = m.every("num")
    yield Fact("content/wordcount.json", "/total", Relation.GE, low.value)
    yield Fact("content/wordcount.json", "/total", Relation.LE, high.value)


def _none_without_alt(_: Match) -> Iterator[Fact]:
    yield Fact(_IMAGES, "without-alt")


def _without_alt(m: Match) -> Iterator[Fact]:
    yield Fact(_IMAGES, "without-alt", m.relation, m.number(), bad=m.number() > 0)


def _images(m: Match) -> Iterator[Fact]:
    yield Fact(_IMAGES, "count", m.relation, m.number())


def _images_with_alt(m: Match) -> Iterator[Fact]:
    yield from _images(m)
    yield from _none_without_alt(m)


def _quotes_attributed(m: Match) -> Iterator[Fact]:
    yield from _quotes(m)
    yield from _all_attributed(m)


def _lost(m: Match) -> Iterator[Fact]:
    value = m.number() if "n" in m.found.groupdict() else 0
    yield Fact(_IMAGES, "lost", Relation.EQ, value, bad=value > 0)


def _all_attributed(_: Match) -> Iterator[Fact]:
    yield Fact(_QUOTES, "unattributed")


def _unattributed(m: Match) -> Iterator[Fact]:
    yield Fact(_QUOTES, "unattributed", m.relation, m.number(), bad=m.number() > 0)


def _quotes(m: Match) -> Iterator[Fact]:
    yield Fact(_QUOTES, "count", m.relation, m.number())


def _heading(m: Match) -> Iterator[Fact]:
    for token in m.every("quoted"):
        yield Fact("content/headings.json", f"heading:{token.value}", Relation.EQ, "present", scope=m.scope)


def _titled(_: Match) -> Iterator[Fact]:
    yield Fact("content/headings.json", "without-h1")


def _files(m: Match) -> Iterator[Fact]:
    yield Fact("content/scan.json", "/files", m.relation, m.number())


CONTENT = compiled(
    "word",
    (
        (
            (
                rf"{_WHO}(?:to )?{NUM} word(?: long| total| in article)*",
                rf"(?:article )?long {NUM} word",
                rf"(?:article )?(?:total )?word(?: count)?(?: total)? {NUM}",
                rf"(?:article |path )?(?:wordcount|word count) {NUM}(?: word)?",
                rf"total {NUM} word",
            ),
            _words,
        ),
        ((rf"{_WHO}between num num word(?: long)?",), _between),
        (
            (
                r"(?:no|none) (?:all )?image (?:noalt|(?:missing|no) alt)",
                r"all image (?:all )?alt",
                r"image all alt",
                "no image noalt",
                r"alt (?:present )?(?:on|in|for) all image",
                "image alt",
            ),
            _none_without_alt,
        ),
        ((rf"all {NUM} image (?:all )?alt", rf"{NUM} image all alt"), _images_with_alt),
        ((rf"all {NUM} quote (?:all )?(?:{_ATTRIBUTED}|(?:name )?source)",), _quotes_attributed),
        (
            (
                rf"{NUM} image noalt",
                rf"image noalt {NUM}",
            ),
            _without_alt,
        ),
        ((rf"{_WHO}{NUM} image(?: total| in article)?", rf"image (?:count )?{NUM}"), _images),
        ((r"no image missing", "all image present", "no missing image"), _lost),
        ((r"(?P<n>num) image missing", r"(?P<n>num) missing image"), _lost),
        (
            (
                rf"all quote (?:all )?{_ATTRIBUTED}",
                rf"quote all {_ATTRIBUTED}",
                r"all quote (?:name )?source",
                r"no unattributed quote",
                r"no quote (?:unattributed|missing source|no source)",
            ),
            _all_attributed,
        ),
        ((rf"{NUM} quote (?:unattributed|(?:missing|no) source)", rf"{NUM} unattributed quote"), _unattributed),
        ((rf"{_WHO}{NUM} quote(?: total| in article)?", rf"quote {NUM}"), _quotes),
        (
            (
                r"create (?:new )?(?:heading )?(?:called )?quoted(?: heading)?(?: (?:in|to) path)?",
                r"(?:article|docs|path|pages) heading (?:called )?quoted(?: quoted)*",
                r"(?:article|docs|path|pages) quoted heading",
                r"heading (?:called )?quoted(?: in path)?",
                r"quoted heading(?: in path)?",
                r"(?:new )?heading (?:called )?quoted (?:create|present)(?: (?:in|to) path)?",
                r"new heading (?:called )?quoted(?: (?:in|to) path)?",
            ),
            lambda m: _heading(m) if m.every("heading") else iter(()),
        ),
        (
            (
                r"(?:all )?(?:article|pages|file|docs) (?:h1|h1 heading|heading h1)",
                "no (?:article|pages|file) missing h1",
            ),
            _titled,
        ),
        ((rf"check {NUM} (?:pages|article)", rf"{NUM} (?:pages|article) check"), _files),
    ),
)
