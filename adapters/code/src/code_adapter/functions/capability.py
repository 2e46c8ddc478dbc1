"""``code:functions``: parse both versions of each changed source file, compare symbols, match the claims."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from code_adapter.functions.matching import find_unclaimed, match, read_units
from code_adapter.integrity.roles import is_test_code
from code_adapter.syntax.changes import ChangedFile, Side, read_changed_files
from code_adapter.syntax.moved_symbols import find_moved
from code_adapter.syntax.symbol_changes import SymbolChange, compare
from code_adapter.syntax.symbols import FileSymbols, Symbol, extract
from verigate.sdk import path_text, write_json
from verigate.sdk.facts import Facts, name_fact
from verigate.sdk.languages import SUFFIXES, language_of
from verigate.sdk.subject import open_repository, resolve_base
from verigate.sdk.units import UnitKind

if TYPE_CHECKING:
    from verigate.sdk import Request

SOURCES = tuple(f":(top,icase,glob)**/*{suffix}" for suffix in SUFFIXES)
"""Pathspecs of the files in a language. The manifest declares the same: no others are in the checkout."""

_CHANGES = ("added", "changed", "removed")
_NOT_WRITTEN_HERE = re.compile(r"(?:^|/)(?:node_modules|\.venv|site-packages|vendor|third_party)/|\.min\.[cm]?js$")
_LONG_LINE = 20_000
_BINARY = "it has null bytes, so no grammar reads it"


def run(request: Request) -> None:
    """Write functions.json and functions.meta.json. Raises AdapterError outside git."""
    with open_repository(request) as repository:
        files = read_changed_files(repository, resolve_base(request, repository), paths=SOURCES)
        known = {path_text(path) for path in repository.indexed_files()}
    known |= {file.before.path for file in files if file.before is not None}
    facts = Facts.of_call(request.environ)
    changes: list[SymbolChange] = []
    parsed: list[str] = []
    read: list[ChangedFile] = []
    failed: list[dict[str, str]] = []
    skipped: list[dict[str, str]] = []
    for file in files:
        why = _why_skipped(file)
        if why is not None:
            # An unreadable source file may contain anything, so it is a failure rather than skipped.
            target = failed if why == _BINARY or "bytes, more" in why else skipped
            target.append({"path": file.path, "message" if target is failed else "why": why})
            continue
        before, after = _symbols(file.before, facts), _symbols(file.after, facts)
        parsed.append(file.path)
        read.append(file)
        failed += _failures(file, before, after)
        changes += compare(before.symbols, after.symbols)
    facts.save()
    changes.sort(key=lambda change: (change.symbol.path, change.symbol.line, change.symbol.qualified, change.change))
    units = read_units(request.commitment, request.claim, known.__contains__)
    matches = [match(unit, changes) for unit in units if unit.kind in {UnitKind.FUNCTION, UnitKind.ENDPOINT}]
    functions = {
        "functions": _group(changes, endpoints=False),
        "endpoints": _group(changes, endpoints=True),
        "files_parsed": len(parsed),
        "files_failed": failed,
        "files_skipped": [entry["path"] for entry in skipped],
        "matches": [
            {
                "unit": found.unit.id,
                "match": found.match,
                "candidates": [{"id": s.id, "path": s.path, "line": s.line} for s in found.symbols],
            }
            for found in matches
        ],
        "unclaimed": [
            {"id": c.symbol.id, "path": c.symbol.path, "line": c.symbol.line, "change": c.change}
            for c in find_unclaimed(changes, units)
        ],
        "total": len(changes),
    }
    if moved := find_moved(read):
        functions["moved"] = moved
    meta = {
        "expected": [file.path for file in files],
        "examined": parsed,
        "skipped": sorted([*skipped, *_unread(failed, parsed)], key=lambda entry: entry["path"]),
        "languages": sorted({language for path in parsed if (language := language_of(path))}),
    }
    write_json(request.task_dir, "functions.meta.json", meta)
    write_json(request.task_dir, "functions.json", functions)


def _why_skipped(file: ChangedFile) -> str | None:
    if file.unread:
        return file.unread
    if _NOT_WRITTEN_HERE.search(file.path):
        return "somebody else's code, or minified"
    contents = [side.content for side in (file.before, file.after) if side is not None and side.content is not None]
    if any(b"\0" in content for content in contents):
        return _BINARY
    if any(len(line) > _LONG_LINE for content in contents for line in content.split(b"\n")):
        return "minified: it has a line of more than 20000 bytes"
    return None


def _symbols(side: Side | None, facts: Facts) -> FileSymbols:
    if side is None or side.content is None or language_of(side.path) is None:
        return FileSymbols()
    name = name_fact(side.path, side.content)
    known: FileSymbols | None = facts.find(name, FileSymbols)
    if known is not None:
        return known
    found = extract(side.content, side.path)
    facts.note(name, found)
    return found


def _failures(file: ChangedFile, before: FileSymbols, after: FileSymbols) -> list[dict[str, str]]:
    if after.error_line is not None:
        return [{"path": file.path, "message": f"syntax error in line {after.error_line}; read as far as possible"}]
    if before.error_line is not None and file.after is not None:
        return [{"path": file.path, "message": f"syntax error in line {before.error_line} of the base's version"}]
    return []


def _unread(failed: Iterable[dict[str, str]], parsed: list[str]) -> list[dict[str, str]]:
    return [{"path": entry["path"], "why": entry["message"]} for entry in failed if entry["path"] not in parsed]


def _group(changes: Iterable[SymbolChange], *, endpoints: bool) -> dict[str, list[dict[str, Any]]]:
    groups: dict[str, list[dict[str, Any]]] = {change: [] for change in _CHANGES}
    for change in changes:
        if (change.symbol.route is not None) is endpoints:
            groups[change.change].append(_entry(change))
    return groups


def _entry(change: SymbolChange) -> dict[str, Any]:
    symbol: Symbol = change.symbol
    entry: dict[str, Any] = {
        "id": symbol.id,
        "name": symbol.name,
        "qualified": symbol.qualified,
        "kind": symbol.kind,
        "language": symbol.language,
        "path": symbol.path,
        "line": symbol.line,
        "end_line": symbol.end_line,
        "stub": symbol.stub,
        "only": symbol.only,
        "in_tests": symbol.in_tests or is_test_code(symbol.path),
        "own": change.own,
        "parent": symbol.parent,
        "generated": symbol.generated,
    }
    if symbol.route is not None:
        entry |= {"method": symbol.method, "route": symbol.route, "handler": symbol.handler}
    return entry
