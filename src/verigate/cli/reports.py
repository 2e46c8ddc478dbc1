"""Resolve the reports that a command line asks for and write each to its destination."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from verigate.cli.output import say, say_commands, use_colour, width
from verigate.domain.task_folder import RESERVED_NAMES
from verigate.errors import UsageError
from verigate.evidence.store import write_atomically
from verigate.formats.near_names import suggest_name
from verigate.reporting.formats import FORMATS, TextStyle, render, render_nothing
from verigate.reporting.report import MAX_TEXT_CHARACTERS, Report


class Destination(Struct, frozen=True):
    """One report: its format and its file, None for standard output."""

    format: str
    file: Path | None = None


def destinations(formats: Sequence[str], *, as_json: bool, output: Path | None) -> tuple[Destination, ...]:
    """Return the requested reports. The one without a file goes to ``output``, by default stdout; its default is text.

    Raises UsageError for an unknown format, two reports without a file, or two reports in one file.
    """
    asked = [_destination(text) for text in (*formats, *(("json",) if as_json else ()))]
    plain = list(dict.fromkeys(item.format for item in asked if item.file is None)) or ["text"]
    if len(plain) > 1:
        hint = f"give all but one a file: --format {plain[1]}=FILE"
        raise UsageError(f"{' and '.join(plain)} have the same destination", where="--format", hint=hint)
    chosen = (Destination(plain[0], output), *(item for item in asked if item.file is not None))
    files = [item.file.absolute() for item in chosen if item.file is not None]
    for file in files:
        if file.exists() and not file.is_file():
            # A report replaces the file: it can't replace a folder and must not replace /dev/stdout.
            raise UsageError("a report can only replace a regular file", where=str(file))
        if files.count(file) > 1:
            raise UsageError("two reports go to the same file", where=str(file), hint="give each report its own file")
    return chosen


def _destination(text: str) -> Destination:
    name, given, file = text.partition("=")
    if name not in FORMATS:
        hint = suggest_name(name, FORMATS, 3)
        raise UsageError(f"there is no report format {name!r}", where="--format", hint=hint)
    if given and not file:
        raise UsageError(f"{text!r} names no file", where="--format", hint=f"write --format {name}=FILE")
    return Destination(name, Path(file) if given else None)


def clear(chosen: Sequence[Destination]) -> None:
    """Remove the reports of an earlier run, so that an error leaves no old pass."""
    for item in chosen:
        if item.file is not None:
            item.file.unlink(missing_ok=True)


def needs_texts(chosen: Sequence[Destination]) -> bool:
    """Return whether a report shows published files that aren't JSON."""
    return any(FORMATS[item.format].needs_texts for item in chosen)


def published_texts(folder: Path) -> dict[str, str]:
    """Return the published files of a task that aren't JSON by path, each cut at MAX_TEXT_CHARACTERS characters.

    Raises EvidenceError for an incomplete folder.
    """
    from verigate.evidence.store import read_published

    published = read_published(folder)
    others = (path for path, entry in published.index.items() if not entry["is_json"])
    paths = sorted(path for path in others if path not in RESERVED_NAMES)
    return {path: published.read(path).decode("utf-8", "replace")[:MAX_TEXT_CHARACTERS] for path in paths}


def deliver(report: Report, chosen: Sequence[Destination], *, verbose: bool) -> None:
    """Write each report to its destination, replacing an earlier file."""
    if os.environ.get("GATE_SERVER_URL"):
        from verigate.cli.server_page import add_page  # imported late: most machines name no server

        report = add_page(report)
    if os.environ.get("GATE_DOCS_URL"):
        from verigate.cli.documentation_site import find_documentation  # imported late, as above

        report = replace(report, documentation=find_documentation(os.environ))
    for item in chosen:
        look = TextStyle(item.file is None and use_colour(sys.stdout), width(), verbose)
        _put(render(item.format, report, look), item)


def deliver_nothing(why: str, chosen: Sequence[Destination]) -> None:
    """Write the reports of a run that had nothing to verify, except text on stdout: stderr has the reason."""
    for item in chosen:
        if item.format != "text" or item.file is not None:
            _put(render_nothing(item.format, why), item)


def _put(text: str, place: Destination) -> None:
    if place.file is not None:
        write_atomically(place.file, text.encode("utf-8", "replace"))
    elif place.format == "github":
        say_commands(text)
    else:
        say(text)
