"""Each format read from bytes: headings and text, as its own processor renders them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from content_adapter.headings import list_headings
from content_adapter.reading.formats import format_of
from content_adapter.reading.markdown import strip_front_matter
from content_adapter.reading.page import Page, read_page
from verigate.sdk import AdapterError


def page(folder: Path, name: str, content: str | bytes) -> Page:
    (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
    return read_page(folder, name)


def title_and_text(read: Page) -> tuple[list[str], list[str]]:
    return list_headings(read)["h1"], read.text().split()


NOTEBOOK = json.dumps(
    {
        "nbformat": 4,
        "cells": [
            {"cell_type": "markdown", "source": ["# Title\n", "two words"]},
            {"cell_type": "code", "source": "code = 1", "outputs": [{"text": "output"}]},
        ],
    }
)
SAME = [
    ("page.md", "# Title\n\ntwo words\n\n```\n# code\n```\n<!-- x -->\n"),
    ("page.MARKDOWN", "Title\n=====\n\ntwo words\n\n    # code\n"),
    ("page.html", "<!doctype html><title>x</title><h1>Title</h1><p>two words<pre># code</pre>"),
    ("page.rst", "Title\n=====\n\ntwo words::\n\n    code\n\n.. comment\n"),
    ("page.adoc", "= Title\n\ntwo words\n\n----\ncode\n----\n\n// comment\n"),
    ("page.ipynb", NOTEBOOK),
    ("page.htm", "<h1>Title</h1>two words".encode("utf-16")),
    ("bom.md", b"\xef\xbb\xbf# Title\n\ntwo words\n"),
]


@pytest.mark.parametrize(("name", "content"), SAME, ids=[name for name, _ in SAME])
def test_each_format_has_the_same_title_and_text(tmp_path: Path, name: str, content: str | bytes) -> None:
    assert title_and_text(page(tmp_path, name, content)) == (
        ["Title"],
        ["Title", "two", "words" + ":" * (name[-3:] == "rst")],
    )


MARKDOWN = [
    ("> # Quoted\n\n- # Listed\n", {"h1": ["Quoted", "Listed"]}),
    ("# `code` and *stress*\n\n###### Six\n####### Seven\n", {"h1": ["code and stress"], "h6": ["Six"]}),
    ("<h1><img src='a.png' alt='The logo'></h1>\n", {"h1": ["The logo"]}),
    ("#\n\n# &#8203;\n\n<h1 hidden>x</h1>\n", {"h1": []}),
    ("~~~\n# in a fence\n~~~\n\n    # in a block\n\n`# in a span`\n\\# escaped\n", {"h1": []}),
    ("[//]: # (a comment)\n<!--\n# in a comment\n-->\n", {"h1": []}),
    ("| a |\n|---|\n| # b |\n", {"h1": []}),
]


@pytest.mark.parametrize(("source", "expected"), MARKDOWN)
def test_headings_of_markdown(tmp_path: Path, source: str, expected: dict[str, list[str]]) -> None:
    found = list_headings(page(tmp_path, "page.md", source))
    assert {level: found[level] for level in expected} == expected
    assert sum(map(len, found.values())) == sum(map(len, expected.values()))


FRONT_MATTER = [
    ("---\ntitle: x\n---\ntext", "text"),
    ("---\n---\ntext", "text"),
    ("+++\ntitle = 'x'\n+++\ntext", "text"),
    ("---\n![](hidden.png)\n---\ntext", None),  # two rules with a picture between them
    ("---\njust words\n---\ntext", None),
    ("text\n---\ntitle: x\n---\n", None),
    ("---\ntitle: x\n", None),
    ("+++\nwords\n+++\ntext", None),
    ("---\na: !!python/object/apply:os.system [x]\n---\ntext", "text"),
]


@pytest.mark.parametrize(("source", "expected"), FRONT_MATTER)
def test_only_a_mapping_is_front_matter(source: str, expected: str | None) -> None:
    assert strip_front_matter(source) == (source if expected is None else expected)


RST = [
    (".. versionadded:: 1.2\n   New words.\n", ["New", "words."]),
    (".. tab:: Linux\n   :sync: x\n\n   In the tab.\n", ["In", "the", "tab."]),
    (".. toctree::\n   :maxdepth: 2\n\n   a\n   b\n\nText.\n", ["Text."]),
    ("See :ref:`the title <label>` and :func:`name`.\n", ["See", "the", "title", "and", "."]),
    (".. include:: /etc/passwd\n\n.. raw:: html\n\n   <p>raw</p>\n\nText.\n", ["Text."]),
    (".. csv-table::\n   :file: /etc/passwd\n\nText.\n", ["Text."]),
    ("A note [1]_.\n\n.. [1] Below.\n", ["A", "note", ".", "Below."]),
]


@pytest.mark.parametrize(("source", "expected"), RST)
def test_restructuredtext_of_sphinx_and_what_reads_other_files(
    tmp_path: Path, source: str, expected: list[str]
) -> None:
    assert page(tmp_path, "page.rst", source).text().split() == expected


def test_asciidoc_reads_no_other_file_and_starts_nothing(tmp_path: Path) -> None:
    (tmp_path / "other.adoc").write_text("other words")
    source = "= Title\n\ninclude::other.adoc[]\n\n+++<b>passed</b>+++ {counter:x}\n"
    assert "words" not in page(tmp_path, "page.adoc", source).text()


BAD_NOTEBOOKS = ["", "[]", "{}", '{"cells": 1}', '{"cells": [1]}', '{"worksheets": [{"cells": 1}]}', "[" * 100_000]


@pytest.mark.parametrize("content", BAD_NOTEBOOKS, ids=[content[:12] for content in BAD_NOTEBOOKS])
def test_what_is_no_notebook_is_named(tmp_path: Path, content: str) -> None:
    with pytest.raises(AdapterError) as caught:
        page(tmp_path, "page.ipynb", content)
    assert caught.value.where == "page.ipynb"


def test_text_in_another_encoding_is_still_counted(tmp_path: Path) -> None:
    assert page(tmp_path, "a.txt", "caf\xe9 noir".encode("latin-1")).text().split() == ["caf\ufffd", "noir"]
    assert page(tmp_path, "a.html", '<meta charset="latin-1">caf\xe9'.encode("latin-1")).text() == "caf\xe9"
    assert page(tmp_path, "b.html", b'<meta charset="zlib">caf\xe9').text() == "caf\xe9"


def test_a_link_and_a_file_that_is_too_large_are_refused(tmp_path: Path) -> None:
    (tmp_path / "link.md").symlink_to("/etc/passwd")
    (tmp_path / "large.md").write_bytes(b"word " * (4 << 20))
    for name in ("link.md", "large.md", "none.md"):
        with pytest.raises(AdapterError):
            read_page(tmp_path, name)


def test_names_without_a_text_format() -> None:
    assert [format_of(name) for name in ("a.py", "md", ".md", "a/b.MD", "a.b/c", "x.md/y.tar.gz")] == [
        *(None, None, None),
        "markdown",
        *(None, None),
    ]
