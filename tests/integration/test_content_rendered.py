"""Words as a browser shows them: real Chromium on pages that hide words, and on honest ones that look alike."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import hidden_words as hw
import pytest
from PIL import Image

from content_adapter.reading.page import Page
from content_adapter.rendering.render import Renderer
from content_adapter.word_count import count_words
from verigate.sdk import AdapterError

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def renderer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Renderer]:
    """One browser for all pages, and a subject with what they refer to."""
    root = tmp_path_factory.mktemp("subject")
    (root / "hide.css").write_text(".x { opacity: 0 }")
    (root / "show.css").write_text(".x { opacity: .9 }")
    (root / "moving.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9" fill="#fff">'
        '<animate attributeName="fill" values="#fff;#ddf" dur="1s" repeatCount="indefinite"/></rect></svg>'
    )
    Image.new("RGB", (90, 60), "#804020").save(root / "full.png")
    Image.new("RGBA", (90, 60), (0, 0, 0, 0)).save(root / "clear.png")
    (root / "blank.ttf").write_bytes(_blank_font())
    made = Renderer(root, ("",))
    yield made
    made.close()


def _blank_font() -> bytes:
    """A font of the machine, in which each glyph has an empty outline: all offsets of ``loca`` are 0 (OpenType)."""
    named = subprocess.run(("fc-match", "-f", "%{file}", "sans:fontformat=TrueType"), capture_output=True, check=True)
    font = bytearray(Path(os.fsdecode(named.stdout)).read_bytes())
    tables = (font[12 + 16 * n : 28 + 16 * n] for n in range(int.from_bytes(font[4:6])))
    (loca,) = (table for table in tables if table[:4] == b"loca")
    start, size = int.from_bytes(loca[8:12]), int.from_bytes(loca[12:16])
    font[start : start + size] = bytes(size)
    return bytes(font)


def count(renderer: Renderer, markup: str) -> tuple[int, int]:
    """Words that are shown for certain, and these with those that may be."""
    page = Page("page.html", "html", f"<!doctype html><body>{markup}")
    shown = page.with_shown(renderer.render("page.html", page.markup_to_show))
    return count_words(shown.text()), count_words(shown.text(doubtful=True))


@pytest.mark.parametrize("twins", hw.TWINS, ids=lambda twins: twins.name)
def test_words_that_no_reader_sees_are_not_counted(renderer: Renderer, twins: hw.Twins) -> None:
    shown, trick = len(hw.BEFORE.split()) + twins.others, len(hw.TRICK.split())
    honest, _ = count(renderer, f"<p>{hw.BEFORE}</p>{twins.honest}")
    assert honest == shown + trick, "the honest page shows all"
    sure, most = count(renderer, f"<p>{hw.BEFORE}</p>{twins.lie}")
    # Seven words that run together are one.
    assert sure <= shown + 1
    assert (most <= shown + 1) is twins.gone
