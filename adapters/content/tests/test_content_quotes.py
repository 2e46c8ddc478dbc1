"""Quotes, whom they are attributed to, and whether they stand in the file that they cite."""

from __future__ import annotations

from pathlib import Path

import pytest

from content_adapter.citations import find_cited_file
from content_adapter.quotes import Quote, list_quotes
from content_adapter.reading.page import read_page

ATTRIBUTED = [
    ("page.md", "> To be.\n> — Hamlet\n", ("To be.", "Hamlet")),
    ("page.md", "> To be.\n>\n> -- Hamlet, *Act III*\n", ("To be.", "Hamlet, Act III")),
    ("page.md", "> To be.\n\n— Hamlet\n", ("To be.", "Hamlet")),
    ("page.md", "> To be.  \n> ― Hamlet\n", ("To be.", "Hamlet")),
    ("page.md", "> To be.[^1]\n\n[^1]: Hamlet, III.\n", ("To be.", "Hamlet, III.")),
    ("page.md", "> To be. [@shakespeare1603, p. 3]\n", ("To be.", "@shakespeare1603, p. 3")),
    ("page.md", "> To be. (Shakespeare, 1603)\n", ("To be.", "Shakespeare, 1603")),
    ("page.md", "> To be.\n", ("To be.", None)),
    ("page.md", "> — Hamlet\n", ("— Hamlet", None)),
    ("page.md", "> To be.\n> —\n", ("To be. —", None)),
    ("page.md", "> To be.\n\nHamlet said so.\n", ("To be.", None)),
    ("page.md", "> To be.\n>\n> > Nested.\n", ("To be. Nested.", None)),
    ("page.html", "<blockquote cite='https://h/x'>To be.</blockquote>", ("To be.", "https://h/x")),
    ("page.html", "<blockquote>To be.<footer>— <cite>Hamlet</cite></footer></blockquote>", ("To be.", "Hamlet")),
    (
        "page.html",
        "<blockquote><p>To be, says <cite>Hamlet</cite>, or not.</blockquote>",
        ("To be, says Hamlet , or not.", None),
    ),
    (
        "page.html",
        "<figure><blockquote>To be.</blockquote><figcaption>Hamlet</figcaption></figure>",
        ("To be.", "Hamlet"),
    ),
    ("page.html", "<p>He said <q cite='https://h/x'>To be.</q>", ("To be.", "https://h/x")),
    ("page.rst", "Text.\n\n    To be.\n\n    -- Hamlet\n", ("To be.", "Hamlet")),
    ("page.rst", "Text.\n\n    To be. [SHA]_\n\n.. [SHA] Hamlet.\n", ("To be.", "Hamlet.")),
    ("page.adoc", "[quote, Hamlet, Act III]\n____\nTo be.\n____\n", ("To be.", "Hamlet Act III")),
]


@pytest.mark.parametrize(("name", "source", "expected"), ATTRIBUTED)
def test_attributions(tmp_path: Path, name: str, source: str, expected: tuple[str, str | None]) -> None:
    (tmp_path / name).write_text(source)
    (quote,) = list_quotes(read_page(tmp_path, name))
    assert (quote.text, quote.source) == expected


NO_QUOTES = [
    ("page.md", "> [!NOTE]\n> Not a quote.\n\n`> code`\n\n```\n> code\n```\n"),
    ("page.md", ">\n\n> ---\n"),
    ("page.rst", "Text.\n\n    - an indented list\n    - of two\n"),
    ("page.html", "<p>He said <q>yes</q>.</p><blockquote hidden>To be.</blockquote>"),
]


@pytest.mark.parametrize(("name", "source"), NO_QUOTES)
def test_what_is_no_quote(tmp_path: Path, name: str, source: str) -> None:
    (tmp_path / name).write_text(source)
    assert list_quotes(read_page(tmp_path, name)) == []


CITED = [
    ("Say what was measured", "source.md", ("docs/source.md", True)),
    ("“Say what WAS — measured”", "source.md#top", ("docs/source.md", True)),
    ("Say ... measured, and […] times", "source.md", ("docs/source.md", True)),
    ("measured ... Say", "source.md", ("docs/source.md", False)),
    ("Say anything", "source.md", ("docs/source.md", False)),
    ("hidden words", "source.md", ("docs/source.md", False)),
    ("Say what", "gone.md", ("gone.md", False)),
    ("Say what", "https://h/source.md", (None, None)),
    ("Say what", None, (None, None)),
    ("print(1)", "/code.py", ("code.py", True)),
]


@pytest.mark.parametrize(("text", "reference", "expected"), CITED)
def test_whether_a_quote_stands_in_the_file(
    tmp_path: Path, text: str, reference: str | None, expected: tuple[str | None, bool | None]
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "source.md").write_text(
        "*Say* what\nwas **measured**, and how\nmany times.\n<!-- hidden words -->\n"
    )
    (tmp_path / "code.py").write_text("print(1)\n")
    known = frozenset({"docs/source.md", "code.py"})
    assert find_cited_file(Quote(text, "x", reference), "docs/page.md", tmp_path, known, ("",)) == expected


def test_a_source_that_is_a_path_is_looked_into(tmp_path: Path) -> None:
    (tmp_path / "NOTES.md").write_text("Say what was measured.")
    known = frozenset({"NOTES.md"})
    for text, occurs in (("Say what", True), ("Say no", False)):
        assert find_cited_file(Quote(text, "NOTES.md", None), "page.md", tmp_path, known, ("",)) == ("NOTES.md", occurs)
    assert find_cited_file(Quote("x", "Hamlet, III", None), "page.md", tmp_path, known, ("",)) == (None, None)
