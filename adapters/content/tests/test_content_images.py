"""Images: where they are, what they really measure, and what is said instead of them."""

from __future__ import annotations

import base64
import io
import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from content_adapter.images import list_images
from content_adapter.pixels import read_pixel_size
from content_adapter.reading.page import read_page
from content_adapter.references import resolve

SVG = '<svg xmlns="http://www.w3.org/2000/svg" {}><text>x</text></svg>'
BOMB = b'<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><svg width="1" height="1">&b;</svg>'


def picture(kind: str, width: int = 30, height: int = 20) -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", (width, height)).save(stream, kind)
    return stream.getvalue()


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF", "AVIF", "JPEG2000"])
def test_the_size_is_read_from_the_file(kind: str) -> None:
    assert read_pixel_size(picture(kind)) == (30, 20)
    assert read_pixel_size(picture(kind)[:10]) is None


OTHERS = [
    (SVG.format('width="30" height="20px"'), (30, 20)),
    (SVG.format('viewBox="0 0 30.5 20"'), (30.5, 20)),
    (SVG.format('viewBox="0,0,30,20" width="100%"'), (30, 20)),
    (SVG.format(""), None),
    ("<svg", None),
    ("<html><svg width='1' height='1'/></html>", None),
    ("%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 10 10\n", None),
    ("words", None),
    ("", None),
]


@pytest.mark.parametrize(("content", "size"), OTHERS)
def test_the_size_of_a_drawing_and_of_what_is_none(content: str, size: tuple[float, float] | None) -> None:
    assert read_pixel_size(content.encode()) == size


FRAME = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/1999/xlink" width="6" height="4">{}</svg>'


@pytest.mark.parametrize(
    "content",
    [
        "",
        "<title>A chart</title><desc>of sales</desc>",
        "<g><g/></g>",
        "<defs><rect width='6' height='4'/></defs>",
        "<rect width='6' height='0'/>",
        "<rect width='6'/>",
        "<rect width='6' height='4' fill='none'/>",
        "<g fill='none'><circle r='3'/></g>",
        "<g style='fill: none'><circle r='3'/></g>",
        "<circle r='3' style='display:none'/>",
        "<g opacity='0'><circle r='3'/></g>",
        "<g visibility='hidden'><circle r='3'/></g>",
        "<circle r='3' fill-opacity='0'/>",
        "<path d=''/><path d='M 0 0'/><path d='M1 2'/>",
        "<polygon points='0,0 0,0'/>",
        "<line x1='2' x2='2'/>",
        "<text> </text><image/><use/>",
        "<!-- <rect width='6' height='4'/> -->",
    ],
)
def test_a_drawing_that_draws_nothing_is_no_image(content: str) -> None:
    assert read_pixel_size(FRAME.format(content).encode()) is None


@pytest.mark.parametrize(
    "content",
    [
        "<rect width='6' height='4'/>",
        "<rect width='6' height='4' fill='none' stroke='red'/>",
        "<g fill='none'><circle r='3' fill='red'/></g>",
        "<g visibility='hidden'><circle r='3' visibility='visible'/></g>",
        "<ellipse rx='3'/>",
        "<path d='M0 0h6'/>",
        "<path fill='none' stroke='#000' d='M1,2 3,4'/>",
        "<polyline points='0,0 6,4'/>",
        "<line x2='6' stroke='red'/>",
        "<defs><circle id='a' r='3'/></defs><use x:href='#a'/>",
        "<image href='data:image/png;base64,AA=='/>",
        "<text>x</text>",
        "<style>.a { fill: red }</style><rect class='a' width='6' height='4'/>",
    ],
)
def test_a_drawing_that_draws_is_an_image(content: str) -> None:
    assert read_pixel_size(FRAME.format(content).encode()) == (6, 4)


def test_a_drawing_with_entities_is_not_read() -> None:
    assert read_pixel_size(BOMB) is None


def test_a_picture_of_a_billion_pixels_is_only_measured() -> None:
    header = bytearray(picture("PNG"))
    header[16:24] = (60_000).to_bytes(4, "big") * 2
    assert read_pixel_size(bytes(header)) in {None, (60_000, 60_000)}


PLACES = [
    ("a.png", "docs/page.md", "docs/a.png"),
    ("./img/a%20b.png?x=1#y", "docs/page.md", "docs/img/a b.png"),
    ("../a.png", "docs/page.md", "a.png"),
    ("/logo.png", "docs/page.md", "static/logo.png"),
    ("../../a.png", "docs/page.md", None),
    ("/../a.png", "docs/page.md", "a.png"),
    ("", "docs/page.md", None),
    ("A.png", "docs/page.md", None),
]


@pytest.mark.parametrize(("reference", "page", "path"), PLACES)
def test_where_a_reference_leads(reference: str, page: str, path: str | None) -> None:
    known = frozenset({"a.png", "docs/a.png", "docs/img/a b.png", "static/logo.png"})
    assert resolve(reference, page, known, ("", "static")) == path


def found(folder: Path, name: str, text: str, *known: str) -> list[dict[str, Any]]:
    (folder / name).write_text(text)
    return list_images(read_page(folder, name), folder, frozenset(known), ("",))


def test_states_of_images(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(picture("PNG"))
    (tmp_path / "words.png").write_text("words")
    (tmp_path / "link.png").symlink_to("a.png")
    data = base64.b64encode(picture("GIF", 5, 4)).decode()
    text = (
        "![A](a.png) ![ref][r] ![](gone.png) ![w](words.png) ![l](link.png) ![far](//h/x.png) ![h](https://h/x.png)\n"
        f"<img src='data:image/gif;base64,{data}'> <img alt src=a.png> <img hidden src=gone.png> `![code](no.png)`\n"
        "\n[r]: a.png\n"
    )
    entries = found(tmp_path, "page.md", text, "a.png", "words.png", "link.png")
    assert [(entry["alt"], entry["state"], entry["width"], entry["height"]) for entry in entries] == [
        ("A", "found", 30, 20),
        ("ref", "found", 30, 20),
        ("", "missing", None, None),
        ("w", "unreadable", None, None),
        ("l", "unreadable", None, None),
        ("far", "remote", None, None),
        ("h", "remote", None, None),
        (None, "found", 5, 4),
        ("", "found", 30, 20),
    ]


def test_images_of_the_other_formats(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(picture("PNG"))
    rst = ".. image:: a.png\n\n.. figure:: a.png\n   :alt: The a\n\n   Caption\n"
    assert [entry["alt"] for entry in found(tmp_path, "page.rst", rst, "a.png")] == [None, "The a"]
    (entry,) = found(tmp_path, "page.adoc", "image::a.png[The a]\n", "a.png")
    assert (entry["src"], entry["alt"], entry["width"]) == ("a.png", "The a", 30)


def test_an_image_inside_a_notebook(tmp_path: Path) -> None:
    data = base64.b64encode(picture("PNG", 7, 6)).decode()
    attachments = {"a.png": {"image/png": data}}
    cell = {"cell_type": "markdown", "source": "![a](attachment:a.png)", "attachments": attachments}
    (entry,) = found(tmp_path, "page.ipynb", json.dumps({"nbformat": 4, "cells": [cell]}))
    assert (entry["state"], entry["width"], entry["height"]) == ("found", 7, 6)
    (entry,) = found(tmp_path, "page.md", "![a](attachment:a.png)")
    assert entry["state"] == "missing"
