"""Pages and descriptions: links, contents, styles, images, descriptions of APIs, YAML, JSON with comments."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from api_adapter.document import parse
from api_adapter.operations import read_operations
from api_adapter.schemes import read_schemes
from content_adapter.headings import list_headings
from content_adapter.images import list_images
from content_adapter.pixels import read_pixel_size
from content_adapter.quotes import list_quotes
from content_adapter.reading.page import read_page
from content_adapter.word_count import count_characters, count_words
from links_adapter import asciidoc, link_names, page_facts, rst
from links_adapter.error_pages import read_html
from targets.target import Target
from verigate.errors import GateError
from verigate.formats import jsonc, toml_text
from verigate.sdk import AdapterError
from verigate.sdk.yaml_documents import load_documents

HTML = b"""<!doctype html><meta charset="utf-8"><title>A</title><style>.x{display:none} @media print{p{opacity:0}}
h1{position:absolute;left:-999em;clip-path:inset(50%)}</style><meta http-equiv="refresh" content="0; url=b.html">
<h1 id="a">One <span class=x>two</span></h1><p style="font-size:0">three</p><blockquote cite="b.md">q<footer>- C</footer>
</blockquote><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt=""><a href="b.html#c">l</a><a name=c></a>"""
MARKDOWN = b"""---
title: A
---
# One

Two [three](b.md "t") ![i](i.png) <https://x.org/a> [r][x] `code`[^1]

> A quote.
> \xe2\x80\x94 [Somebody](b.md)

<details hidden>four</details>

| a | b |
| - | - |
| 1 | 2 |

[x]: b.md#c
[^1]: A note.
"""
RST = b"""One
===

Two `three <b.rst>`_ and :ref:`four <x>` |s|.

.. _x:

.. image:: i.png
   :alt: five

.. |s| replace:: six

.. code-block:: python

   x = 1

   -- Somebody

.. list-table::

   * - a
     - b
"""
ASCIIDOC = b"""= One
:url: https://x.org

== Two
[[x]]
Three link:b.adoc[four] {url}/a[five] <<x,six>> xref:b.adoc#c[seven] image::i.png[alt]

----
link:no.adoc[]
----
include::b.adoc[]
"""
NOTEBOOK = json.dumps(
    {
        "cells": [
            {
                "cell_type": "markdown",
                "source": ["# A\n", "![i](attachment:i.png)"],
                "attachments": {"i.png": {"image/png": "QQ=="}},
            },
            {"cell_type": "code", "source": "x", "outputs": [{"output_type": "stream", "text": ["a"]}]},
        ],
        "metadata": {},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
).encode()
OPENAPI = {
    "openapi": "3.0.3",
    "info": {"title": "A", "version": "1"},
    "servers": [{"url": "/v1"}],
    "security": [{"key": []}],
    "paths": {
        "/a/{id}": {
            "parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}],
            "get": {
                "responses": {
                    "200": {
                        "description": "d",
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/A"}}},
                    }
                }
            },
            "post": {"requestBody": {"content": {"application/json": {"schema": {"type": "object"}}}}, "responses": {}},
        }
    },
    "components": {
        "schemas": {
            "A": {"type": "object", "properties": {"n": {"type": "integer"}, "a": {"$ref": "#/components/schemas/A"}}}
        },
        "securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X"}},
    },
}
GIF = base64.b64decode("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="1cm" height="2em" viewBox="0 0 10 20"><rect width="5" height="5"/></svg>'
JSONC = b'{\n  // a comment\n  "hooks": {"Stop": [{"command": "gate hook"}, {"command": "x"}]}, /* b */\n  "n": 1\n}\n'
YAML = b"a: &x\n  - b: 1\n    c: 2\n---\nd: 2024-01-01\ne: |\n  f\ng: !!set {a, b}\n"
TOML = b'a = 1\n"b.c" = [1, {d = "e"}]\n[[f.g]]\nh = 1979-05-27T07:32:00Z\n[f.i]\nj = """\nk"""\n'


def list_targets() -> Iterator[Target]:
    """List one target for each kind of text."""
    for kind, seed in (("html", HTML), ("md", MARKDOWN), ("rst", RST), ("ipynb", NOTEBOOK)):
        yield Target(f"page in {kind}", _read_page(f"a.{kind}"), (seed,), (AdapterError,), is_json=kind == "ipynb")
    plain: dict[str, tuple[Callable[[bytes], Any], tuple[bytes, ...], bool]] = {
        "links in AsciiDoc": (lambda raw: _read_links(asciidoc, raw), (ASCIIDOC,), False),
        "links in reStructuredText": (lambda raw: _read_links(rst, raw), (RST,), False),
        "facts of a page": (lambda raw: page_facts.read_page(_decode(raw)), (HTML,), False),
        "answer of a server": (_read_answer, (HTML, b'{"error": "not found"}'), False),
        "names of links": (_name, (b"https://x.org:443/a/../b?c=%7e#d\nb.md#c\nmailto:a@b\n//x.org/a",), False),
        "pixels": (read_pixel_size, (GIF, PNG, SVG), False),
        "description of an API": (
            _read_api,
            (json.dumps(OPENAPI).encode(), b"openapi: 3.0.0\npaths: {/a: {get: {}}}\n"),
            True,
        ),
        "YAML": (lambda raw: load_documents(_decode(raw)), (YAML,), False),
        "TOML": (_read_toml, (TOML,), False),
        "JSON with comments": (_read_jsonc, (JSONC,), False),
    }
    for name, (read, seeds, is_json) in plain.items():
        refusals = (GateError, ValueError) if name in {"YAML", "TOML"} else (GateError,)
        yield Target(name, _without_folder(read), seeds, refusals, is_json=is_json)


def _without_folder(read: Callable[[bytes], Any]) -> Callable[[Path, bytes], object]:
    return lambda _folder, raw: read(raw)


def _decode(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def _read_page(name: str) -> Callable[[Path, bytes], object]:
    def read(folder: Path, content: bytes) -> None:
        (folder / name).write_bytes(content)
        page = read_page(folder, name)
        for text in (page.text(), page.text("all", doubtful=page.may_have_doubts)):
            count_words(text)
            count_characters(text)
        list_headings(page)
        list_images(page, folder, frozenset({name}), ("",))
        list_quotes(page)

    return read


def _read_links(module: Any, raw: bytes) -> None:
    list(module.find_links(_decode(raw)))
    module.find_anchors(_decode(raw))


def _read_answer(raw: bytes) -> None:
    for kind in ("text/html", "application/xhtml+xml", "application/json"):
        read_html(raw, kind, None)
        read_html(raw, kind, raw[:8].decode("ascii", "replace"))


def _name(raw: bytes) -> None:
    for line in _decode(raw).splitlines():
        name = link_names.name_link(line, Path("/r"))
        if link_names.is_web(name):
            link_names.origin_of(link_names.normalise(link_names.strip_fragment(name)))


def _read_api(raw: bytes) -> None:
    document = parse(raw, "a.yaml")
    read_schemes(document)
    list(read_operations(document))


def _read_toml(raw: bytes) -> None:
    toml_text.loads(raw)
    toml_text.find_lines(_decode(raw), ["/a", "/b.c/1/d", "/f/g/0/h"])


def _read_jsonc(raw: bytes) -> None:
    addition = {"hooks": {"Stop": [{"command": "gate hook"}], "Start": [1]}, "m": 1}
    jsonc.has_comments(raw, "a")
    jsonc.remove_member(raw, ("n",), "a")
    jsonc.remove_member(raw, ("n", "m"), "a")
    pruned = jsonc.remove(raw, lambda item: item.get("command") == "gate hook", lambda place: len(place) < 2, "a")
    jsonc.read_value(pruned, "a")
    jsonc.read_value(jsonc.add(raw, addition, "a"), "a")
