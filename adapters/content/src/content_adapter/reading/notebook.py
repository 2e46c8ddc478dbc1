"""Convert Jupyter notebooks (nbformat 3 and 4) to HTML: Markdown cells and code cells, without outputs."""

from __future__ import annotations

import base64
import binascii
import html
import json
from collections.abc import Iterator
from typing import Any

from content_adapter.reading.markdown import convert_markdown
from verigate.sdk import AdapterError, clean_text, path_text


def convert_notebook(raw: bytes, path: str) -> tuple[str, dict[str, bytes]]:
    """Return the cells as HTML and their attached images by ``attachment:NAME``. Raises AdapterError."""
    try:
        cells = list(_cells(json.loads(raw)))
    except (ValueError, TypeError, RecursionError) as error:
        raise AdapterError(f"is not a notebook: {error}", where=path_text(path)) from error
    parts: list[str] = []
    attachments: dict[str, bytes] = {}
    for kind, source, attached in cells:
        if kind == "markdown":
            parts.append(convert_markdown(source))
            attachments |= attached
        elif kind == "heading":
            parts.append(f"<h1>{html.escape(source)}</h1>\n")
        elif kind == "code":
            parts.append(f"<pre>{html.escape(source)}</pre>\n")
    return "".join(parts), attachments


def _cells(document: Any) -> Iterator[tuple[str, str, dict[str, bytes]]]:
    if not isinstance(document, dict):
        raise TypeError("not a JSON object")
    # nbformat 3 has its cells in worksheets.
    sheets = document.get("worksheets") if "cells" not in document else [document]
    if not isinstance(sheets, list):
        raise TypeError("it has neither cells nor worksheets")
    for sheet in sheets:
        cells = sheet.get("cells") if isinstance(sheet, dict) else None
        if not isinstance(cells, list):
            raise TypeError("its cells are not a list")
        for cell in cells:
            if not isinstance(cell, dict):
                raise TypeError("a cell is not an object")
            source = cell.get("source", cell.get("input", ""))
            text = "".join(map(str, source)) if isinstance(source, list) else str(source)
            yield str(cell.get("cell_type")), clean_text(text), _read_attachments(cell.get("attachments"))


def _read_attachments(attachments: Any) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for name, bundle in attachments.items() if isinstance(attachments, dict) else ():
        for encoded in bundle.values() if isinstance(bundle, dict) else ():
            text = "".join(map(str, encoded)) if isinstance(encoded, list) else str(encoded)
            try:
                found[f"attachment:{name}"] = base64.b64decode(text)
            except (binascii.Error, ValueError):
                continue
    return found
