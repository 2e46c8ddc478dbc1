"""The five capabilities: each examines all files in scope and writes its artifact."""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from content_adapter.citations import find_cited_file
from content_adapter.headings import list_headings
from content_adapter.images import list_images
from content_adapter.json_stream import stream_array, stream_members, stream_object
from content_adapter.quotes import Quote, list_quotes
from content_adapter.reading.formats import MARKDOWN, PLAIN, RST, format_of
from content_adapter.reading.page import read_page
from content_adapter.scope import Scope, find_scope
from content_adapter.settings import Settings, read_settings
from content_adapter.word_count import count_characters, count_words
from content_adapter.worker_pool import map_paths
from verigate.sdk import Request, clean_text, path_text, write_pieces
from verigate.sdk.subject import Paths, Subject, find_subject

_MOST_TEXT = 10_000
_READERS: Mapping[str | None, str] = MappingProxyType(
    {MARKDOWN: "content_adapter.reading.markdown", RST: "content_adapter.reading.rst"}
)


@dataclass(frozen=True, slots=True)
class _Call:
    request: Request
    settings: Settings
    subject: Subject
    scope: Scope

    @property
    def root(self) -> Path:
        return self.request.repo_root

    def write(self, pieces: Iterator[bytes]) -> None:
        """Write the capability's artifact."""
        name = self.request.capability.rpartition(":")[2]
        write_pieces(self.request.task_dir, f"content/{name}.json", pieces)

    def read(self, path: str) -> str:
        return read_page(self.root, path).text(self.settings.count_code)

    def count(self, path: str) -> tuple[int, int]:
        """Count the words that are shown for certain, and those of which only a browser knows."""
        page, code = read_page(self.root, path), self.settings.count_code
        sure = count_words(page.text(code))
        return sure, max(0, count_words(page.text(code, doubtful=True)) - sure) if page.may_have_doubts else 0

    def write_per_file(self, examine: Callable[[str], Any]) -> None:
        # Skip plain text, which has no headings, images or quotes.
        paths = Paths(path for path in self.scope.paths if format_of(path) != PLAIN)
        self.write(stream_members((path_text(path), found) for path, found in map_paths(paths, examine)))


def serve(request: Request) -> None:
    """Serve the call. Raises AdapterError if a file in scope can't be read."""
    settings = read_settings(request)
    subject = find_subject(request)
    scope = find_scope(request, subject, settings)
    for kind in {format_of(path) for path in scope.paths} & _READERS.keys():
        # Import before the workers are forked.
        importlib.import_module(_READERS[kind])
    _WRITERS[request.capability](_Call(request, settings, subject, scope))


def _write_scan(call: _Call) -> None:
    def count(path: str) -> tuple[int, int]:
        text = call.read(path)
        return count_words(text), count_characters(text)

    files = (
        {"path": path_text(path), "format": format_of(path), "word_count": found[0], "char_count": found[1]}
        for path, found in map_paths(call.scope.paths, count)
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
        for path, (sure, unsure) in map_paths(call.scope.paths, call.count):
            total += sure
            doubtful += unsure
            yield {"path": path_text(path), "word_count": sure} | ({"doubtful": unsure} if unsure else {})

    call.write(
        stream_object(
            code=call.settings.count_code,
            files=stream_array(files()),
            scope=call.scope.kind,
            total=lambda: total,
            # Both totals are known once the files are written, which come before them in the order of keys.
            total_doubtful=lambda: doubtful,
        )
    )


def _write_headings(call: _Call) -> None:
    call.write_per_file(lambda path: list_headings(read_page(call.root, path)))


def _write_images(call: _Call) -> None:
    known, roots = call.subject.known, call.settings.roots
    call.write_per_file(lambda path: list_images(read_page(call.root, path), call.root, known, roots))


def _write_quotes(call: _Call) -> None:
    known = call.subject.known

    def quotes_of(path: str) -> list[dict[str, Any]]:
        return [_describe_quote(call, quote, path, known) for quote in list_quotes(read_page(call.root, path))]

    call.write_per_file(quotes_of)


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
