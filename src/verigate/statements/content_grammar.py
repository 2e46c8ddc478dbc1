"""Grammar of statements about texts: words, headings, images, quotes."""

from __future__ import annotations

from collections.abc import Iterator

from verigate.domain.statement_reading import Relation, StatedFact
from verigate.statements.grammar import NUM, Match, compile_grammar

_IMAGES = "content/images.json"
_QUOTES = "content/quotes.json"
_WHO = "(?:(?:article|docs|path|pages) )?"
_ALT = "(?:alt|alt attribute)"
_ATTRIBUTED = "attributed(?: to source)?"


def _expect_word_count(m: Match) -> Iterator[StatedFact]:
    paths = m.every("path")
    what = str(paths[0].value) if paths else "/total"
    yield StatedFact("content/wordcount.json", what, m.relation, m.number())


def _expect_word_range(m: Match) -> Iterator[StatedFact]:
    low, high = m.every("num")
    yield StatedFact("content/wordcount.json", "/total", Relation.GE, low.value)
    yield StatedFact("content/wordcount.json", "/total", Relation.LE, high.value)


def _expect_none_without_alt(_: Match) -> Iterator[StatedFact]:
    yield StatedFact(_IMAGES, "without-alt")


def _expect_without_alt(m: Match) -> Iterator[StatedFact]:
    yield StatedFact(_IMAGES, "without-alt", m.relation, m.number(), bad=m.number() > 0)


def _expect_image_count(m: Match) -> Iterator[StatedFact]:
    yield StatedFact(_IMAGES, "count", m.relation, m.number())


def _expect_images_with_alt(m: Match) -> Iterator[StatedFact]:
    yield from _expect_image_count(m)
    yield from _expect_none_without_alt(m)


def _expect_quotes_attributed(m: Match) -> Iterator[StatedFact]:
    yield from _expect_quote_count(m)
    yield from _expect_all_attributed(m)


def _expect_missing_images(m: Match) -> Iterator[StatedFact]:
    value = m.number() if "n" in m.found.groupdict() else 0
    yield StatedFact(_IMAGES, "lost", Relation.EQ, value, bad=value > 0)


def _expect_all_attributed(_: Match) -> Iterator[StatedFact]:
    yield StatedFact(_QUOTES, "unattributed")


def _expect_unattributed(m: Match) -> Iterator[StatedFact]:
    yield StatedFact(_QUOTES, "unattributed", m.relation, m.number(), bad=m.number() > 0)


def _expect_quote_count(m: Match) -> Iterator[StatedFact]:
    yield StatedFact(_QUOTES, "count", m.relation, m.number())


def _expect_headings(m: Match) -> Iterator[StatedFact]:
    for token in m.every("quoted"):
        yield StatedFact("content/headings.json", f"heading:{token.value}", Relation.EQ, "present", scope=m.scope)


def _expect_titles(_: Match) -> Iterator[StatedFact]:
    yield StatedFact("content/headings.json", "without-h1")


def _expect_file_count(m: Match) -> Iterator[StatedFact]:
    yield StatedFact("content/scan.json", "/files", m.relation, m.number())


CONTENT = compile_grammar(
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
            _expect_word_count,
        ),
        ((rf"{_WHO}between num num word(?: long)?",), _expect_word_range),
        (
            (
                r"(?:no|none) (?:all )?image (?:noalt|(?:missing|no) alt)",
                r"all image (?:all )?alt",
                r"image all alt",
                "no image noalt",
                r"alt (?:present )?(?:on|in|for) all image",
                "image alt",
            ),
            _expect_none_without_alt,
        ),
        ((rf"all {NUM} image (?:all )?alt", rf"{NUM} image all alt"), _expect_images_with_alt),
        ((rf"all {NUM} quote (?:all )?(?:{_ATTRIBUTED}|(?:name )?source)",), _expect_quotes_attributed),
        (
            (
                rf"{NUM} image noalt",
                rf"image noalt {NUM}",
            ),
            _expect_without_alt,
        ),
        ((rf"{_WHO}{NUM} image(?: total| in article)?", rf"image (?:count )?{NUM}"), _expect_image_count),
        ((r"no image missing", "all image present", "no missing image"), _expect_missing_images),
        ((r"(?P<n>num) image missing", r"(?P<n>num) missing image"), _expect_missing_images),
        (
            (
                rf"all quote (?:all )?{_ATTRIBUTED}",
                rf"quote all {_ATTRIBUTED}",
                r"all quote (?:name )?source",
                r"no unattributed quote",
                r"no quote (?:unattributed|missing source|no source)",
            ),
            _expect_all_attributed,
        ),
        ((rf"{NUM} quote (?:unattributed|(?:missing|no) source)", rf"{NUM} unattributed quote"), _expect_unattributed),
        ((rf"{_WHO}{NUM} quote(?: total| in article)?", rf"quote {NUM}"), _expect_quote_count),
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
            lambda m: _expect_headings(m) if m.every("heading") else iter(()),
        ),
        (
            (
                r"(?:all )?(?:article|pages|file|docs) (?:h1|h1 heading|heading h1)",
                "no (?:article|pages|file) missing h1",
            ),
            _expect_titles,
        ),
        ((rf"check {NUM} (?:pages|article)", rf"{NUM} (?:pages|article) check"), _expect_file_count),
    ),
)
