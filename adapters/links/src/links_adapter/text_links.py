"""Find the links of texts below a folder: with lychee, or with the reader of their format."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from urllib.parse import quote, urljoin

from msgspec import Struct

from links_adapter.link_names import is_unresolved, is_web, name_link, normalise
from links_adapter.lychee import is_valid_input, run_lychee
from links_adapter.scope import MAX_TEXT_BYTES, decode
from links_adapter.settings import TIME_LIMIT_S, Settings
from verigate.sdk import Request, clean_text, path_text
from verigate.sdk.subject import read_file

_COPY = "verigate-copy-"
_COPIED = re.compile(rf"{_COPY}\d+(?:\.\w+)?")
_OWN_READERS = frozenset({"rst", "asciidoc"})


class Place(Struct, frozen=True, order=True, gc=False, rename={"source": "file"}):
    """Location of a link: a file of the repository, or the URL of a page or sitemap. 0 means unknown."""

    source: str
    line: int
    column: int


class Link(Struct, frozen=True, gc=False):
    """One occurrence of a link; ``name`` is that of urlset.json."""

    name: str
    place: Place


def find_text_links(
    request: Request, settings: Settings, root: Path, texts: Mapping[str, str], not_utf8: frozenset[str]
) -> Iterator[Link]:
    """Yield the links of ``texts`` (path below ``root`` -> kind). Raises AdapterError if lychee is missing or fails."""
    yield from _read_with_lychee(request, settings, root, texts, not_utf8)
    for path, kind in texts.items():
        if kind in _OWN_READERS:
            yield from _read_written(settings, root, path, kind)


def _read_with_lychee(
    request: Request, settings: Settings, root: Path, texts: Mapping[str, str], not_utf8: frozenset[str]
) -> Iterator[Link]:
    paths = [path for path, kind in texts.items() if kind not in _OWN_READERS]
    copied = {path: _copy_path(path, number) for number, path in enumerate(paths) if _needs_copy(path, not_utf8)}
    yield from _run_lychee(request, settings, root, {path: path for path in paths if path not in copied})
    with tempfile.TemporaryDirectory(prefix="verigate-recoded-") as name:
        copies = Path(name).resolve()
        for path, alias in copied.items():
            (copies / alias).parent.mkdir(parents=True, exist_ok=True)
            (copies / alias).write_text(decode(read_file(root, path, MAX_TEXT_BYTES)), encoding="utf-8")
        yield from _run_lychee(request, settings, copies, {alias: path for path, alias in copied.items()})


def _needs_copy(path: str, not_utf8: frozenset[str]) -> bool:
    """Whether lychee needs a copy of the file.

    Lychee silently skips files that aren't UTF-8, and reads the names of its inputs as lines of UTF-8.
    """
    return path in not_utf8 or not is_valid_input(path)


def _copy_path(path: str, number: int) -> str:
    """Return the path of a copy, in a folder of the same name, so that relative links resolve alike."""
    folder, slash, name = path.rpartition("/")
    return f"{folder}{slash}{_COPY}{number}{PurePosixPath(name).suffix}" if not is_valid_input(name) else path


def _run_lychee(request: Request, settings: Settings, root: Path, paths: Mapping[str, str]) -> Iterator[Link]:
    """Find links in files below ``root``; ``paths`` maps the path there to the path in the subject."""
    inputs = {f"{root}/{alias}": path_text(path) for alias, path in paths.items()}
    names = {alias.rpartition("/")[2]: quote(os.fsencode(path.rpartition("/")[2])) for alias, path in paths.items()}
    # Lychee reports excluded links without checking them; links:check does that.
    options = ["--offline", "--exclude", ".*", "--include-mail", "--root-dir", str(_site(root, settings))]
    options += ["--include-verbatim"] if settings.verbatim else []
    for found in run_lychee(list(inputs), options, environ=request.environ, timeout_s=TIME_LIMIT_S):
        name = name_link(found.raw, root)
        if _COPY in name:
            # The link targets the copied file itself.
            name = _COPIED.sub(lambda match: names.get(match[0], match[0]), name)
        yield Link(clean_text(name), Place(inputs[found.source], found.line, found.column))


def _read_written(settings: Settings, root: Path, path: str, kind: str) -> Iterator[Link]:
    if kind == "rst":
        from links_adapter.rst import find_links
    else:
        from links_adapter.asciidoc import find_links
    text = decode(read_file(root, path, MAX_TEXT_BYTES))
    base = (root / path).as_uri()
    for link in find_links(text):
        name = link.target
        if not is_unresolved(name):
            name = name_link(_resolve(name, base, _site(root, settings)), root)
        yield Link(clean_text(name), Place(path_text(path), link.line, link.column))


def _resolve(target: str, base: str, site: Path) -> str:
    if target.startswith("/") and not target.startswith("//"):
        return site.as_uri() + quote(target, safe="/?#%&=+,;@~!$'()*:")
    try:
        return urljoin(base, quote(target, safe="/?#%&=+,;@~!$'()*:[]")) if not is_web(target) else normalise(target)
    except ValueError:
        return target


def _site(root: Path, settings: Settings) -> Path:
    return root / settings.root_dir.strip("/")
