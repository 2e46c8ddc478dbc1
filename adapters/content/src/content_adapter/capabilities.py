"""The five capabilities: each examines all files in scope and writes its artifact."""

from __future__ import annotations

import importlib
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from content_adapter.citations import find_cited_file
from content_adapter.headings import list_headings
from content_adapter.images import list_images
from content_adapter.json_stream import stream_array, stream_members, stream_object
from content_adapter.quotes import Quote, list_quotes
from content_adapter.reading.formats import MARKDOWN, PLAIN, RST, format_of
from content_adapter.reading.page import Page, name_source, read_page
from content_adapter.reading.raw_bytes import read_text_bytes
from content_adapter.scope import Scope, find_scope
from content_adapter.settings import Rendered, Settings, read_settings
from content_adapter.word_count import count_characters, count_words
from content_adapter.worker_pool import map_paths
from verigate.sdk import AdapterError, Request, clean_text, path_text, write_pieces
from verigate.sdk.facts import Facts
from verigate.sdk.subject import Paths, Subject, find_subject

if TYPE_CHECKING:
    from content_adapter.rendering.render import Renderer

_MOST_TEXT = 10_000
_RENDERING_S = 300.0
"""Time limit for one page in a browser, whose start is part of the first one."""

_READERS: Mapping[str | None, str] = MappingProxyType(
    {MARKDOWN: "content_adapter.reading.markdown", RST: "content_adapter.reading.rst"}
)


@dataclass(frozen=True, slots=True)
class _Call:
    request: Request
    settings: Settings
    subject: Subject
    scope: Scope
    facts: Facts
    renderer: Renderer | None
    """None where pages are read without a browser."""

    @property
    def root(self) -> Path:
        return self.request.repo_root

    def write(self, pieces: Iterator[bytes]) -> None:
        """Write the capability's artifact."""
        name = self.request.capability.rpartition(":")[2]
        write_pieces(self.request.task_dir, f"content/{name}.json", pieces)

    def read(self, path: str) -> Page:
        """Read a page; with a browser, what that shows of it."""
        if self.renderer is not None:
            page = read_page(self.root, path, sheets=False)
            if page.has_html:
                return page.with_shown(self.renderer.render(path, page.markup_to_show))
        return read_page(self.root, path)

    def map_pages(self, paths: Collection[str], examine: Callable[[Page], Any]) -> Iterator[tuple[str, Any]]:
        """Yield (path, ``examine`` of its page) in order; what is known of a file's bytes isn't found again."""
        if self.renderer is not None or not self.facts.are_kept:
            yield from self.map(paths, lambda path: examine(self.read(path)))
            return

        def find(path: str) -> tuple[str | None, Any]:
            page = self.read(path)
            return page.source, examine(page)

        known = {path: self.facts.find(name_source(path, read_text_bytes(self.root, path))) for path in paths}
        found = self.map([path for path in paths if known[path] is None], find)
        for path in paths:
            fact = known.pop(path)
            if fact is None:
                _, (source, fact) = next(found)
                if source is not None:
                    self.facts.note(source, fact)
            yield path, fact
        self.facts.save()

    def map(self, paths: Collection[str], examine: Callable[[str], Any]) -> Iterator[tuple[str, Any]]:
        if self.renderer is None:
            return map_paths(paths, examine)
        return map_paths(paths, examine, deadline_s=_RENDERING_S, close=self.renderer.close)

    def count(self, page: Page) -> tuple[int, int]:
        """Count the words that are shown for certain, and those of which only a browser knows."""
        code = self.settings.count_code
        sure = count_words(page.text(code))
        return sure, max(0, count_words(page.text(code, doubtful=True)) - sure) if page.may_have_doubts else 0

    def write_per_file(self, found: Callable[[Collection[str]], Iterator[tuple[str, Any]]]) -> None:
        # Skip plain text, which has no headings, images or quotes.
        paths = Paths(path for path in self.scope.paths if format_of(path) != PLAIN)
        self.write(stream_members((path_text(path), entry) for path, entry in found(paths)))


def serve(request: Request) -> None:
    """Serve the call. Raises AdapterError if a file in scope can't be read."""
    settings = read_settings(request)
    subject = find_subject(request)
    scope = find_scope(request, subject, settings)
    for kind in {format_of(path) for path in scope.paths} & _READERS.keys():
        # Import before the workers are forked.
        importlib.import_module(_READERS[kind])
    renderer, lack = find_renderer(request.repo_root, settings)
    if lack is not None:
        # The artifact says so as well.
        sys.stderr.write(f"pages are read without a browser: {clean_text(str(lack))}\n")
    _WRITERS[request.capability](_Call(request, settings, subject, scope, Facts.of_call(request.environ), renderer))


def find_renderer(root: Path, settings: Settings) -> tuple[Renderer | None, AdapterError | None]:
    """Return what renders pages, if they are to be rendered, or else what is missing for that."""
    if settings.rendered is Rendered.NEVER:
        return None, None
    from content_adapter.rendering.chromium import find_lack
    from content_adapter.rendering.render import Renderer

    lack = find_lack(root) if settings.rendered is Rendered.AUTO else None
    return (None if lack else Renderer(root, settings.roots)), lack


def _write_scan(call: _Call) -> None:
    def count(page: Page) -> tuple[int, int]:
        text = page.text(call.settings.count_code)
        return count_words(text), count_characters(text)

    files = (
        {"path": path_text(path), "format": format_of(path), "word_count": found[0], "char_count": found[1]}
        for path, found in call.map_pages(call.scope.paths, count)
    )
    formats = Counter(str(format_of(path)) for path in call.scope.paths)
    call.write(
        stream_object(
            files=stream_array(files), files_total=len(call.scope.paths), formats=dict(formats), scope=call.scope.kind
        )
    )


def _write_wordcount(call: _Call) -> None:
    total = doubtful = 0

    def files() -> Iterator[Any]:
        nonlocal total, doubtful
        for path, (sure, unsure) in call.map_pages(call.scope.paths, call.count):
            total += sure
            doubtful += unsure
            yield {"path": path_text(path), "word_count": sure} | ({"doubtful": unsure} if unsure else {})

    call.write(
        stream_object(
            code=call.settings.count_code,
            files=stream_array(files()),
            rendered=call.renderer is not None,
            scope=call.scope.kind,
            total=lambda: total,
            # Both totals are known once the files are written, which come before them in the order of keys.
            total_doubtful=lambda: doubtful,
        )
    )


def _write_headings(call: _Call) -> None:
    call.write_per_file(lambda paths: call.map_pages(paths, list_headings))


def _write_images(call: _Call) -> None:
    known, roots = call.subject.known, call.settings.roots
    call.write_per_file(
        lambda paths: call.map(paths, lambda path: list_images(call.read(path), call.root, known, roots))
    )


def _write_quotes(call: _Call) -> None:
    known = call.subject.known

    def quotes_of(path: str) -> list[dict[str, Any]]:
        return [_describe_quote(call, quote, path, known) for quote in list_quotes(call.read(path))]

    call.write_per_file(lambda paths: call.map(paths, quotes_of))


def _describe_quote(call: _Call, quote: Quote, path: str, known: frozenset[str]) -> dict[str, Any]:
    file, occurs = None, None
    if call.settings.check_cited_files:
        file, occurs = find_cited_file(quote, path, call.root, known, call.settings.roots)
    return {
        "text": clean_text(quote.text, _MOST_TEXT),
        "source": None if quote.source is None else clean_text(quote.source, _MOST_TEXT),
        "cited_file": None if file is None else path_text(file),
        "occurs": occurs,
    }


_WRITERS: Mapping[str, Callable[[_Call], None]] = MappingProxyType(
    {
        "content:headings": _write_headings,
        "content:images": _write_images,
        "content:quotes": _write_quotes,
        "content:scan": _write_scan,
        "content:wordcount": _write_wordcount,
    }
)
