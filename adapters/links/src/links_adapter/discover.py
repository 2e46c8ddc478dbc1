"""``links:discover``: list all links of the texts in scope, crawled pages and sitemaps, with their locations."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import json

from links_adapter.gone_links import find_gone_links
from links_adapter.link_names import is_web
from links_adapter.scope import Scope, find_texts
from links_adapter.settings import Settings, read_settings
from links_adapter.text_links import Link, Place, find_text_links
from verigate.sdk import Request, path_text, write_bytes, write_json


def run(request: Request) -> None:
    """Write ``links/urlset.json``, ``links/locations.json``, ``links/gone.json`` and ``links/discover.meta.json``.

    Raises AdapterError if lychee is missing or fails, or the scope can't be resolved.
    """
    settings = read_settings(request)
    scope = find_texts(request, settings)
    links = list(find_text_links(request, settings, request.repo_root, scope.texts, scope.not_utf8))
    web: dict[str, Any] = {"pages": [], "pages_failed": {}, "pages_left": [], "sitemaps": {}}
    starts = _start_urls(request, settings)
    if starts or settings.sitemaps:
        from links_adapter.crawl import crawl_pages

        found, web = crawl_pages(request, settings, starts)
        links += (Link(name, Place(source, line, column)) for name, source, line, column in found)
    gone = [link for link in find_gone_links(request, settings, links) if _is_counted(link["url"], settings)]
    write_json(request.task_dir, "links/gone.json", gone)
    _write(request, settings, scope, links, {**web, "gone": len(gone), "start_urls": starts})


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


def _is_counted(name: str, settings: Settings) -> bool:
    return _find_exclusion(name, settings) is None


def _find_exclusion(name: str, settings: Settings) -> str | None:
    return next((rule.pattern for rule in settings.exclude if rule.search(name)), None)
