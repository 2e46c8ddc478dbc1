"""Tasks of type ``content`` judged by what ships, with the content adapter in its sandbox."""

from __future__ import annotations

import base64
import io
import json
from pathlib import Path

import pytest
from PIL import Image
from repositories import Repository

PIXEL = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4//8/AAX+Av4N70a4AAAAAElFTkSuQmCC")
PAGE = f"""---
title: not a word of this
---
# Measuring

{"word " * 300}

## How

![A pixel](pixel.png)

> Whoever measures must say what was measured.
>
> — [the rules](rules.rst)
"""
RULES = "Rules\n=====\n\nWhoever measures must say\nwhat was measured.\n"


def repository(folder: Path) -> Repository:
    repo = Repository.make(folder, {"README.md": "# Old\n\nOld words.\n", "docs/rules.rst": RULES})
    repo.task(type_="content", profile="content_strict", commitments={"quality": {"word_min": 300, "images_min": 1}})
    return repo


def test_an_honest_page_is_supported_unit_by_unit(tmp_path: Path) -> None:
    repo = repository(tmp_path)
    repo.write({"docs/page.md": PAGE, "docs/pixel.png": PIXEL, "docs/notes.adoc": "= Notes\n\nTwo words.\n"})
    units = ("heading:Measuring", "image:pixel.png", "quote:Whoever measures must say what was measured.")
    repo.claim("file:docs/page.md", "file:docs/pixel.png", "file:docs/notes.adoc", *units, type_="content")
    ended = repo.verify()
    assert ended.exit_code == 0, str(ended)
    assert ended.verdict is not None
    assert ended.verdict["units"]["supported"] == 6
    scanned = json.loads(repo.artifact("content/scan.json").read_bytes())["files"]
    assert {entry["path"]: entry["word_count"] for entry in scanned} == {"docs/notes.adoc": 3, "docs/page.md": 311}
    (image,) = json.loads(repo.artifact("content/images.json").read_bytes())["docs/page.md"]
    assert (image["width"], image["height"], image["file"]) == (1, 1, "docs/pixel.png")
    (quote,) = json.loads(repo.artifact("content/quotes.json").read_bytes())["docs/page.md"]
    assert (quote["source"], quote["cited_file"], quote["occurs"]) == ("the rules", "docs/rules.rst", True)
    assert repo.gate("replay", "T1").exit_code == 0


@pytest.mark.release
def test_a_text_that_can_not_be_read_is_an_error_that_names_it(tmp_path: Path) -> None:
    repo = repository(tmp_path)
    repo.write({"docs/page.md": PAGE, "docs/pixel.png": PIXEL, "docs/broken.ipynb": '{"cells": 1}'})
    repo.claim("file:docs/page.md", type_="content")
    ended = repo.verify()
    assert ended.exit_code == 3, str(ended)
    assert "ADAPTER_CRASH" in ended.reasons
    assert "docs/broken.ipynb" in str(ended)


HIDING = "<p style='position:absolute;width:20em;left:calc(-9px * 999)'>"


def _draw_square() -> bytes:
    """A picture that can be seen: one that paints nothing isn't counted where a browser looks."""
    into = io.BytesIO()
    Image.new("RGB", (40, 40), "navy").save(into, "PNG")
    return into.getvalue()


@pytest.mark.release
def test_words_count_as_a_browser_shows_them_under_a_strict_profile(tmp_path: Path) -> None:
    for name, start, exit_code in (("lie", HIDING, 1), ("honest", "<p style='margin-left:calc(9px * 2)'>", 0)):
        folder = tmp_path / name
        folder.mkdir()
        repo = repository(folder)
        page = f"# Measuring\n\n![A pixel](pixel.png)\n\n{start}{'word ' * 310}</p>\n"
        repo.write({"docs/page.md": page, "docs/pixel.png": _draw_square()})
        repo.claim("file:docs/page.md", "file:docs/pixel.png", type_="content")
        ended = repo.verify()
        assert ended.exit_code == exit_code, str(ended)
        counted = json.loads(repo.artifact("content/wordcount.json").read_bytes())
        assert (counted["rendered"], counted["total"], counted["total_doubtful"]) == (
            True,
            311 if name == "honest" else 1,
            0,
        )
        assert ("WORD_MIN" in ended.reasons) is (name == "lie")
