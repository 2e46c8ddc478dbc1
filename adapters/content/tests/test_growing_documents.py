"""Documents that grow, in each format: text, headings, images and quotes are read in time of their length."""

from __future__ import annotations

from pathlib import Path

import pytest
from growing import require_linear

from content_adapter.headings import list_headings
from content_adapter.images import list_images
from content_adapter.quotes import list_quotes
from content_adapter.reading.page import read_page
from content_adapter.word_count import count_words

SHAPES: dict[str, tuple[str, str, str, str]] = {
    "paragraphs.md": ("page.md", "", "A line with *stress* and `code` {i}.\n\n", ""),
    "one paragraph.md": ("page.md", "", "some words {i}\n", ""),
    "headings.md": ("page.md", "", "## Title {i}\n\nwords\n\n", ""),
    "quotes.md": ("page.md", "", "> What was said {i}.\n>\n> — A. Author, *Book* {i}\n\nwords\n\n", ""),
    "one quote.md": ("page.md", "", "> what was said {i}\n", ""),
    "notes.md": ("page.md", "", "> Quoted {i}.[^{i}]\n\n[^{i}]: Note {i}\n\n", ""),
    "images.md": ("page.md", "", "![alt {i}](a{i}.png)\n\n", ""),
    "references.md": ("page.md", "", "[word {i}][r{i}]\n\n[r{i}]: https://a.example/{i}\n\n", ""),
    "brackets.md": ("page.md", "", "[[![", ""),
    "stars.md": ("page.md", "", "*a _b **c `", ""),
    "table.md": ("page.md", "| a | b |\n|---|---|\n", "| x {i} | y |\n", ""),
    "list.md": ("page.md", "", "- item {i}\n", ""),
    "paragraphs.html": ("page.html", "<!doctype html><body>", "<p>some words <b>{i}</b></p>\n", ""),
    "hidden.html": ("page.html", "<!doctype html><body>", "<p hidden>a</p><p style='display:none'>b {i}</p>\n", ""),
    "rules.html": ("page.html", "<!doctype html><style>", ".c{i} {{ display: none }}\n", "</style><p class=c1>word"),
    "rules and nodes.html": (
        "page.html",
        "<!doctype html><body>",
        "<style>.c{i} {{ display: none }} #d{i} {{ opacity: 0 }}</style><p class=c{i} id=d{i}>word</p>\n",
        "",
    ),
    "odd rules.html": (
        "page.html",
        "<!doctype html><body>",
        "<style>.c{i}:fancy(x) {{ display: none }}</style><p class=c{i}>word</p>\n",
        "",
    ),
    "images.html": ("page.html", "<!doctype html><body>", "<img src=a{i}.png alt='x {i}'>\n", ""),
    "quotes.html": (
        "page.html",
        "<!doctype html><body>",
        "<blockquote cite=a.html>words {i}</blockquote><p>— A {i}</p>\n",
        "",
    ),
    "comments.html": ("page.html", "<!doctype html><body>", "<!-- {i} --><p>x</p>\n", ""),
    "open tags.html": ("page.html", "<!doctype html><body>", "<b><i>{i} ", ""),
    "paragraphs.rst": ("page.rst", "Title\n=====\n\n", "Some *words* {i} and ``code``.\n\n", ""),
    "headings.rst": ("page.rst", "Title\n=====\n\n", "Part {i}\n----------\n\nwords\n\n", ""),
    "paragraphs.adoc": ("page.adoc", "= Title\n\n", "Some *words* {i} and `code`.\n\n", ""),
    "headings.adoc": ("page.adoc", "= Title\n\n", "== Part {i}\n\nwords\n\n", ""),
    "words.txt": ("page.txt", "", "some words {i} ", ""),
    "no words.txt": ("page.txt", "", "-- '' .. ", ""),
}


def make(shape: tuple[str, str, str, str], number: int) -> str:
    _, before, each, after = shape
    parts = (each.replace("{i}", str(i)).replace("{{", "{").replace("}}", "}") for i in range(number))
    return before + "".join(parts) + after


@pytest.mark.slow
@pytest.mark.parametrize("name", SHAPES)
def test_a_document_is_read_in_time_of_its_length(tmp_path: Path, name: str) -> None:
    file = SHAPES[name][0]

    def read(number: int) -> None:
        (tmp_path / file).write_text(make(SHAPES[name], number))
        page = read_page(tmp_path, file)
        assert page.text() is not None
        count_words(page.text("all", doubtful=True))
        if not file.endswith(".txt"):
            list_headings(page)
            list_quotes(page)
            list_images(page, tmp_path, frozenset(), ("",))

    require_linear(read, 150 if file.endswith((".adoc", ".rst")) or "rules" in name else 1000, name)
