"""Links into the repository: whether the file is there, and the anchor in it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from urllib.parse import unquote, unquote_to_bytes

from links_adapter import answers as a
from links_adapter.lychee import Found, look
from links_adapter.scope import decoded, is_utf8, kind_of
from links_adapter.settings import TIME_LIMIT_S, Settings
from verigate.sdk import Request
from verigate.sdk.subject import read_file

INDEXES = ("index.html", "index.md", "README.md", "README.rst")
"""The page that a link to a folder with an anchor is about; the first that is there."""

MAX_PAGE_BYTES = 256 << 20
"""A page above this size is refused: it is searched as a whole."""


def local_answers(request: Request, settings: Settings, names: Iterable[str]) -> dict[str, a.Answer]:
    """The answer of each name that is relative to the repository. ``200`` is a file or folder that is there.

    Raises UnreadableFileError for a page that can't be searched for an anchor.
    """
    root = request.repo_root.resolve()
    found: dict[str, a.Answer] = {}
    anchored: dict[str, tuple[Path, str]] = {}
    for name in names:
        path, fragment = _split(name, request.repo_root)
        status = _status(path, root)
        if status != 200 or not fragment:
            found[name] = a.Answer(status)
        elif not settings.fragments:
            found[name] = a.Answer(200, fragment="unchecked")
        else:
            anchored[name] = (_page(path), fragment)
    return found | _anchors(request, anchored)


def _split(name: str, root: Path) -> tuple[Path, str]:
    rest, _, fragment = name.partition("#")
    raw = rest.partition("?")[0].removeprefix("file://")
    return root / os.fsdecode(unquote_to_bytes(raw)), fragment


def _status(path: Path, root: Path) -> a.Status:
    try:
        real = path.resolve()
        if not real.is_relative_to(root):
            return a.OUTSIDE_SUBJECT
        return 200 if real.exists() else a.FILE_NOT_FOUND
    except (OSError, ValueError, RuntimeError):
        return a.FILE_NOT_FOUND


def _page(path: Path) -> Path:
    if not path.is_dir():
        return path
    return next((path / name for name in INDEXES if (path / name).is_file()), path)


def _anchors(request: Request, anchored: Mapping[str, tuple[Path, str]]) -> dict[str, a.Answer]:
    with tempfile.TemporaryDirectory(prefix="verigate-recoded-") as folder:
        return _anchors_with(request, anchored, Path(folder))


def _anchors_with(request: Request, anchored: Mapping[str, tuple[Path, str]], copies: Path) -> dict[str, a.Answer]:
    found: dict[str, a.Answer] = {}
    asked: dict[str, str] = {}
    known: dict[Path, frozenset[str]] = {}
    readable: dict[Path, Path] = {}
    for name, (page, fragment) in anchored.items():
        kind = kind_of(page.name)
        if kind == "rst":
            if page not in known:
                known[page] = _anchors_of_rst(page)
            found[name] = _anchor(unquote(fragment) in known[page])
        elif kind in {"markdown", "html"}:
            if page not in readable:
                readable[page] = _readable(page, copies)
            asked[f"{readable[page].as_uri()}#{fragment}"] = name
        else:
            found[name] = a.Answer(200, fragment="unchecked")
    for url, row in _by_lychee(request, list(asked)).items():
        found[asked[url]] = _anchor(row.code == 200)
    return found


def _content(page: Path) -> bytes:
    real = page.resolve()
    return read_file(real.parent, real.name, MAX_PAGE_BYTES)


def _readable(page: Path, copies: Path) -> Path:
    """``page``, or a copy in UTF-8: in a page that it can't read lychee finds every anchor."""
    raw = _content(page)
    if is_utf8(raw):
        return page
    copy = copies / f"{len(list(copies.iterdir()))}{page.suffix}"
    copy.write_text(decoded(raw), encoding="utf-8")
    return copy


def _anchor(there: bool) -> a.Answer:
    return a.Answer(200 if there else a.FRAGMENT_NOT_FOUND, fragment="found" if there else "missing")


def _anchors_of_rst(page: Path) -> frozenset[str]:
    from links_adapter.rst import anchors_in

    return anchors_in(decoded(_content(page)))


def _by_lychee(request: Request, urls: list[str]) -> dict[str, Found]:
    from links_adapter.pages import listing

    with listing(urls) as listed:
        options = ["--verbose", "--offline", "--include-fragments"]
        rows = look(list(listed.pages), options, environ=request.environ, timeout_s=TIME_LIMIT_S)
        return listed.answered(rows)
