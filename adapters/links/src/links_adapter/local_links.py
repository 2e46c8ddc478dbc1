"""Check links into the repository: whether the file exists and has the anchor."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from urllib.parse import unquote

from links_adapter import link_status as a
from links_adapter.local_files import LocalFiles
from links_adapter.lychee import LycheeLink, run_lychee
from links_adapter.scope import decode, is_utf8, text_kind
from links_adapter.settings import TIME_LIMIT_S, Settings
from verigate.sdk import Request
from verigate.sdk.subject import read_file

MAX_PAGE_BYTES = 256 << 20
"""Size limit of a page that is searched for anchors; it is read as a whole."""


def check_local_links(request: Request, settings: Settings, names: Iterable[str]) -> dict[str, a.LinkStatus]:
    """Check links relative to the repository. The status of an existing file or folder is 200.

    Raises UnreadableFileError for a page that can't be searched for an anchor.
    """
    files = LocalFiles(request, settings)
    found: dict[str, a.LinkStatus] = {}
    anchored: dict[str, tuple[Path, str]] = {}
    for name in names:
        path, status = files.locate(name)
        fragment = name.partition("#")[2]
        if status != 200 or not fragment:
            found[name] = a.LinkStatus(status)
        elif not settings.fragments:
            found[name] = a.LinkStatus(200, fragment="unchecked")
        else:
            anchored[name] = (files.find_page(path), fragment)
    return found | _check_anchors(request, anchored)


def _check_anchors(request: Request, anchored: Mapping[str, tuple[Path, str]]) -> dict[str, a.LinkStatus]:
    with tempfile.TemporaryDirectory(prefix="verigate-recoded-") as folder:
        return _check_anchors_in(request, anchored, Path(folder))


def _check_anchors_in(
    request: Request, anchored: Mapping[str, tuple[Path, str]], copies: Path
) -> dict[str, a.LinkStatus]:
    found: dict[str, a.LinkStatus] = {}
    asked: dict[str, str] = {}
    known: dict[Path, frozenset[str]] = {}
    readable: dict[Path, Path] = {}
    for name, (page, fragment) in anchored.items():
        kind = text_kind(page.name)
        if kind in {"rst", "asciidoc"}:
            if page not in known:
                known[page] = _read_anchors(page, kind)
            found[name] = _anchor_status(unquote(fragment) in known[page])
        elif kind in {"markdown", "html"}:
            if page not in readable:
                readable[page] = _ensure_utf8(page, copies)
            asked[f"{readable[page].as_uri()}#{fragment}"] = name
        else:
            # A folder without a page has no anchors.
            found[name] = _anchor_status(False) if page.is_dir() else a.LinkStatus(200, fragment="unchecked")
    for url, row in _run_lychee(request, list(asked)).items():
        found[asked[url]] = _anchor_status(row.code == 200)
    return found


def _read(page: Path) -> bytes:
    real = page.resolve()
    return read_file(real.parent, real.name, MAX_PAGE_BYTES)


def _ensure_utf8(page: Path, copies: Path) -> Path:
    """Return ``page`` or a copy in UTF-8: lychee reports every anchor as found in a page that it can't read."""
    raw = _read(page)
    if is_utf8(raw):
        return page
    copy = copies / f"{len(list(copies.iterdir()))}{page.suffix}"
    copy.write_text(decode(raw), encoding="utf-8")
    return copy


def _anchor_status(there: bool) -> a.LinkStatus:
    return a.LinkStatus(200 if there else a.FRAGMENT_NOT_FOUND, fragment="found" if there else "missing")


def _read_anchors(page: Path, kind: str) -> frozenset[str]:
    if kind == "rst":
        from links_adapter.rst import find_anchors
    else:
        from links_adapter.asciidoc import find_anchors
    return find_anchors(decode(_read(page)))


def _run_lychee(request: Request, urls: list[str]) -> dict[str, LycheeLink]:
    from links_adapter.lychee_inputs import write_pages

    with write_pages(urls) as inputs:
        options = ["--verbose", "--offline", "--include-fragments"]
        rows = run_lychee(list(inputs.pages), options, environ=request.environ, timeout_s=TIME_LIMIT_S)
        return inputs.map_reports(rows)
