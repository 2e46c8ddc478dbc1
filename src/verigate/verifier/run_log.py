"""Parse an engine's output stream into typed entries, by the declarative rules in its description.

A JSON line is matched with the rules with pointers, any other line with those with a prefix; a line that matches no
rule gives no entry. Rules contain no regular expressions, so that a plug-in's rules can't take unbounded time.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from verigate.formats.pointer import resolve
from verigate.formats.visible import escape_invisible
from verigate.verifier.program import Kind, LogRule

LONGEST_TEXT = 2000
_ADDED = frozenset({"input_tokens", "output_tokens"})
_LONGEST_LINE = 8 * 1024 * 1024


class LogEntry(Struct, frozen=True):
    """One entry of a run log, the same for every engine. ``fields`` are the values it provides, by name."""

    kind: Kind
    text: str = ""
    name: str | None = None
    id: str | None = None
    delta: bool = False
    fields: Mapping[str, Any] = field(default_factory=dict)

    def summary(self) -> str:
        """Format the entry as one line for people: shortened, without control characters and line feeds."""
        counts = (f"{self.fields[name]} {name.replace('_', ' ')}" for name in sorted(_ADDED & self.fields.keys()))
        summary_text = self.text or ", ".join(counts)
        text = " ".join(escape_invisible(summary_text[:LONGEST_TEXT]).split("\n"))
        said = " ".join(filter(None, (self.name, text)))
        return f"{self.kind}: {said}" if said else self.kind


def parse_log_line(line: str, rules: Sequence[LogRule]) -> tuple[LogEntry, ...]:
    """Parse a line of the output; () if no rule matches."""
    if len(line) > _LONGEST_LINE or not line.strip():
        return ()
    document = parse_object(line)
    if document is None:
        plain = line.rstrip("\r\n")
        matching = next((rule for rule in rules if rule.prefix is not None and plain.startswith(rule.prefix)), None)
        return () if matching is None else (LogEntry(matching.kind, plain.removeprefix(matching.prefix or "").strip()),)
    return tuple(entry for rule in rules if rule.prefix is None for entry in _apply_rule(document, rule))


def parse_log(text: str, rules: Sequence[LogRule]) -> Iterator[LogEntry]:
    """Parse an output: as one document if it is one, else line by line."""
    if parse_object(text) is not None:
        yield from parse_log_line(text, rules)
        return
    for line in text.split("\n"):
        yield from parse_log_line(line, rules)


def parse_object(text: str) -> Mapping[str, Any] | None:
    """Parse a JSON object; None if the text isn't one."""
    stripped = text.strip()
    if not stripped.startswith("{"):
        return None
    try:
        found = json.loads(stripped)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _apply_rule(document: Mapping[str, Any], rule: LogRule) -> Iterable[LogEntry]:
    if not _is_matching(document, rule.when):
        return
    if rule.each is None:
        yield from _make_entry(document, rule)
        return
    items = _resolve(document, rule.each)
    for item in items if isinstance(items, list) else ():
        if isinstance(item, dict) and _is_matching(item, rule.item):
            yield from _make_entry(item, rule)


def _make_entry(place: Mapping[str, Any], rule: LogRule) -> Iterable[LogEntry]:
    text = _find_first(place, rule.text)
    known = read_fields(place, rule.fields)
    known |= {name: top for name, at in rule.most.items() if (top := _find_highest(place, *at)) is not None}
    if rule.text and text is None and not known:
        return
    name, identity = _find_first(place, rule.name), _find_first(place, rule.id)
    yield LogEntry(
        rule.kind,
        "" if text is None else _as_text(text),
        None if name is None else _as_text(name)[:200],
        None if identity is None else _as_text(identity)[:200],
        rule.delta,
        known,
    )


def read_fields(place: Mapping[str, Any], fields: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Resolve these pointers, by name."""
    return {
        name: value for name, pointers in fields.items() if (value := _read_field(place, name, pointers)) is not None
    }


def _find_highest(place: Mapping[str, Any], table: str, number: str) -> str | None:
    """Return the key of the table's member with the highest number; None if none is above zero."""
    members = _resolve(place, table)
    found = members.items() if isinstance(members, dict) else ()
    counts = {key: value for key, member in found if type(value := _resolve(member, number)) is int and value > 0}
    return max(counts, key=lambda key: counts[key], default=None)


def _read_field(place: Mapping[str, Any], name: str, pointers: Sequence[str]) -> Any:
    if name not in _ADDED:
        return _find_first(place, pointers)
    counts = [
        value for value in (_resolve(place, pointer) for pointer in pointers) if type(value) is int and value >= 0
    ]
    return sum(counts) if counts else None


def _is_matching(place: Mapping[str, Any], conditions: Mapping[str, Any]) -> bool:
    return all(_is_same(_resolve(place, pointer), wanted) for pointer, wanted in conditions.items())


def _is_same(found: Any, wanted: Any) -> bool:
    return type(found) is type(wanted) and found == wanted


def _find_first(place: Mapping[str, Any], pointers: Sequence[str]) -> Any:
    return next((value for value in (_resolve(place, pointer) for pointer in pointers) if value is not None), None)


def _resolve(place: Any, pointer: str) -> Any:
    try:
        return resolve(place, pointer)
    except LookupError:
        return None


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
