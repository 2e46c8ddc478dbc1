"""``links:discover``: list all links of the texts in scope, crawled pages and sitemaps, with their locations."""

from __future__ import annotations

import os
import re
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import quote, urljoin

from msgspec import Struct, json

from links_adapter.link_names import is_web, name_link, normalise
from links_adapter.lychee import is_valid_input, run_lychee
from links_adapter.scope import MAX_TEXT_BYTES, Scope, decode, find_texts
from links_adapter.settings import TIME_LIMIT_S, Settings, read_settings
from verigate.sdk import Request, clean_text, path_text, write_bytes, write_json
from verigate.sdk.subject import read_file

_COPY = "verigate-copy-"
_COPIED = re.compile(rf"{_COPY}\d+(?:\.\w+)?")


class Place(Struct, frozen=True, order=True, gc=False, rename={"source": "file"}):
    """Location of a link: a file of the repository, or the URL of a page or sitemap. 0 means unknown."""

    source: str
    line: int
    column: int


class Link(Struct, frozen=True, gc=False):
    """One occurrence of a link; ``name`` is that of urlset.json."""

    name: str
    place: Place


def run(request: Request) -> None:
    """Write ``links/urlset.json``, ``links/locations.json`` and ``links/discover.meta.json``.

    Raises AdapterError if lychee is missing or fails, or the scope can't be resolved.
    """
    settings = read_settings(request)
    scope = find_texts(request, settings)
    links = [*_read_texts(request, settings, scope), *_read_rst(request, settings, scope)]
    web: dict[str, Any] = {"pages": [], "pages_failed": {}, "pages_left": [], "sitemaps": {}}
    starts = _start_urls(request, settings)
    if starts or settings.sitemaps:
        from links_adapter.crawl import crawl_pages

        found, web = crawl_pages(request, settings, starts)
        links += (Link(name, Place(source, line, column)) for name, source, line, column in found)
    _write(request, settings, scope, links, {**web, "start_urls": starts})


def _read_texts(request: Request, settings: Settings, scope: Scope) -> Iterator[Link]:
    root = request.repo_root
    texts = [path for path, kind in scope.texts.items() if kind != "rst"]
    copied = {path: _copy_path(path, number) for number, path in enumerate(texts) if _needs_copy(path, scope)}
    yield from _run_lychee(request, settings, root, {path: path for path in texts if path not in copied})
    with tempfile.TemporaryDirectory(prefix="verigate-recoded-") as name:
        copies = Path(name).resolve()
        for path, alias in copied.items():
            (copies / alias).parent.mkdir(parents=True, exist_ok=True)
            (copies / alias).write_text(decode(read_file(root, path, MAX_TEXT_BYTES)), encoding="utf-8")
        yield from _run_lychee(request, settings, copies, {alias: path for path, alias in copied.items()})


def _needs_copy(path: str, scope: Scope) -> bool:
    """Whether lychee needs a copy of the file.

    Lychee silently skips files that aren't UTF-8, and reads the names of its inputs as lines of UTF-8.
    """
    return path in scope.not_utf8 or not is_valid_input(path)


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


def _read_rst(request: Request, settings: Settings, scope: Scope) -> Iterator[Link]:
    root = request.repo_root
    for path in (path for path, kind in scope.texts.items() if kind == "rst"):
        from links_adapter.rst import find_links

        text = decode(read_file(root, path, MAX_TEXT_BYTES))
        base = (root / path).as_uri()
        for link in find_links(text):
            name = name_link(_resolve(link.target, base, _site(root, settings)), root)
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


def _start_urls(request: Request, settings: Settings) -> list[str]:
    commitments = request.commitment.get("commitments")
    scope = commitments.get("scope") if isinstance(commitments, dict) else None
    target = scope.get("target_url") if isinstance(scope, dict) else None
    named = [target] if isinstance(target, str) and is_web(target) else []
    return sorted({*settings.start_urls, *named})


def _write(request: Request, settings: Settings, scope: Scope, links: Iterable[Link], web: dict[str, Any]) -> None:
    places: dict[str, set[Place]] = defaultdict(set)
    excluded: dict[str, int] = defaultdict(int)
    found = list(links)
    per_source = Counter(link.place.source for link in found)
    for link in found:
        pattern = _find_exclusion(link.name, settings) if settings.exclude else None
        if pattern is None:
            places[link.name].add(link.place)
        else:
            excluded[pattern] += 1
    meta = {
        "tool": "lychee",
        "network": {"used": bool(web["pages"]), "forbidden_by": settings.forbidden_by},
        "files": {path_text(path): per_source[path_text(path)] for path in scope.texts},
        "files_not_utf8": sorted(map(path_text, scope.not_utf8)),
        "files_skipped": {path_text(path): why for path, why in scope.left_out.items()},
        "links": len(found),
        "unique": len(places),
        "excluded": dict(excluded),
        **web,
    }
    write_json(request.task_dir, "links/urlset.json", sorted(places))
    write_bytes(request.task_dir, "links/locations.json", serialise_locations(places))
    write_json(request.task_dir, "links/discover.meta.json", meta)


def serialise_locations(places: Mapping[str, Iterable[Place]]) -> bytes:
    """Serialise ``links/locations.json`` exactly as ``write_json`` does, in a quarter of the time."""
    return json.encode({name: sorted(there) for name, there in places.items()}, order="sorted") + b"\n"


def _find_exclusion(name: str, settings: Settings) -> str | None:
    return next((rule.pattern for rule in settings.exclude if rule.search(name)), None)
